import type { Attempt } from '../../domain/attempt.ts'
import type { TargetTools } from '../../domain/command.ts'
import type { Puzzle } from '../../domain/experiment.ts'
import { sentence } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { HIDDEN } from '../../domain/redact.ts'
import type { Report } from '../../domain/report.ts'
import { refusal } from '../../domain/report.ts'
import type { EngineKind } from '../../domain/target.ts'
import { diagnose } from '../../judge/diagnose.ts'
import { advisedSampling } from '../../judge/experiments/advised.ts'
import { aloneIn } from '../../judge/experiments/requests.ts'

/** The attempt that is to be explained, or why there is none. */
type Meant = { readonly attempt: Attempt; readonly puzzle: Puzzle } | { readonly no: Report }

/** The attempt of that number; else the button's, or the last one on this target. */
export async function puzzleOf(tools: TargetTools, number: number | null): Promise<Meant> {
  const { memory, target } = tools
  const found = await (number === null ? memory.meant(target.name) : memory.numbered(number))
  const no = refused(found, number, tools)
  if (no !== null || !found.ok || found.value === null) return { no: no ?? refusal('There is no such attempt.') }
  const attempt = found.value
  const { smoke, engine } = attempt
  const about = { name: target.name, url: target.url, host: target.host }
  const evidence = { target: about, ...(smoke === null ? {} : { smoke }), ...(engine === null ? {} : { engine }) }
  const alone = diagnose(aloneIn(evidence), tools.rules)
  const diagnosis = attempt.diagnosis ?? diagnose(evidence, tools.rules)
  const other = engine === null ? null : await otherOf(tools, engine.kind)
  return { attempt, puzzle: { evidence, diagnosis, alone, sampling: advisedSampling(evidence), other } }
}

function refused(found: Outcome<Attempt | null>, number: number | null, { target, ask }: TargetTools): Report | null {
  if (!found.ok) return refusal(sentence(found.failure), 'failed')
  const attempt = found.value
  if (attempt === null) {
    if (ask.place.thread === null) return refusal(OUTSIDE, 'usage')
    if (number !== null) return refusal(`This thread has no attempt ${number}.`, 'usage')
    return refusal(`No smoke on ${target.name} has ended in this thread yet. Start with: smoke "Say hello"`, 'usage')
  }
  if (attempt.target !== target.name) {
    const next = `smoke why --attempt ${attempt.number} --target ${attempt.target}`
    return refusal(
      `Attempt ${attempt.number} was on ${attempt.target}, not on ${target.name}. Next: write ${next}.`,
      'usage',
    )
  }
  if (attempt.smoke === null)
    return refusal('The prompt of that attempt is not kept any more. Ask again with: smoke "PROMPT"')
  if (!attempt.smoke.request.prompt.includes(HIDDEN)) return null
  return refusal('The prompt of that attempt held a secret, which was not kept. Ask again with: smoke "PROMPT"')
}

const OUTSIDE =
  'smoke why explains the smoke of a thread, and this was asked outside of one. Next: press Why? in the thread of that smoke, or mention the bot there with smoke why.'

/** Targets whose engine nobody named, that are asked for it. */
const ASKED = 4

/** Another target of the same engine: one that is configured as such, else one that turns out to be. */
async function otherOf(tools: TargetTools, kind: EngineKind): Promise<string | null> {
  const others = tools.targets.filter(({ name }) => name !== tools.target.name)
  const named = others.find(({ engine }) => engine === kind)
  if (named !== undefined) return named.name
  const unnamed = others.filter(({ engine }) => engine === null).slice(0, ASKED)
  const kinds = await Promise.all(
    unnamed.map(async (target) => {
      const reached = await tools.reach(target, tools.signal)
      return reached.ok ? reached.value.engine.kind : null
    }),
  )
  return unnamed.find((_, at) => kinds[at] === kind)?.name ?? null
}
