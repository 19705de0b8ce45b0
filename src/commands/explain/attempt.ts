import type { Attempt } from '../../domain/attempt.ts'
import type { Tools } from '../../domain/command.ts'
import type { Report } from '../../domain/report.ts'
import { refusal, report } from '../../domain/report.ts'
import { diagnose } from '../../judge/diagnose.ts'
import { lookingAt } from '../smoke/live.ts'
import { lookedAt } from '../smoke/look.ts'
import { summary, title, toneOf } from '../smoke/report.ts'
import { diagnosisSection, lookedSection } from '../smoke/sections.ts'

/** Explains a smoke once more, with what its host and its server tell now. It stays the attempt that it was. */
export async function explainAttempt(attempt: Attempt, tools: Tools): Promise<Report> {
  const { number, smoke, engine } = attempt
  const target = tools.targets.find(({ name }) => name === attempt.target)
  if (target === undefined) return refusal(NOT_HERE)
  if (smoke === null) return refusal('The answer of that attempt is not kept any more. Ask again with: smoke "PROMPT"')
  const { name, url, host } = target
  const evidence = { target: { name, url, host }, smoke, ...(engine === null ? {} : { engine }) }
  const before = { evidence, diagnosis: diagnose(evidence, tools.rules) }
  const lead = `${tools.ask.person.name} asked why attempt ${number} on ${name} ended so`
  const { diagnosis, looked } = await lookedAt(before, target, tools, (done, all) =>
    tools.progress(
      report({ tone: 'running', status: 'running', title: lookingAt(done, all), lead, actions: stop(tools) }),
    ),
  )
  return report({
    tone: toneOf(diagnosis.verdict),
    status: diagnosis.verdict,
    title: title(diagnosis, attempt),
    summary: summary(diagnosis),
    lead,
    sections: [diagnosisSection(diagnosis), ...lookedSection(looked)],
    json: { attempt: number, target: name, ...diagnosis, looked },
  })
}

function stop({ stopLine }: Tools): Report['actions'] {
  return [{ label: 'Stop', line: stopLine, style: 'danger' }]
}

const NOT_HERE =
  'That smoke was of a target that may not be used in this channel any more, so it is not explained. Next: ask in a channel where it may.'
