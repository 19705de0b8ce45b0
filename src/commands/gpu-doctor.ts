import { z } from 'zod'
import type { Tools } from '../domain/command.ts'
import { defineCommand } from '../domain/command.ts'
import type { Report } from '../domain/report.ts'
import { refusal } from '../domain/report.ts'
import { lookAtHealth } from '../gather/health.ts'
import { chosenHosts } from './gpu/chosen.ts'
import type { HostExam } from './gpu-doctor/exam.ts'
import { examine, stopped, unseen, waiting } from './gpu-doctor/exam.ts'
import { doctorLive, doctorReport } from './gpu-doctor/report.ts'

/** `/gpu doctor`: driver, cards, memory, disks, units and shell of a host, each line ok or what to do; of many, what is not ok. */
export const gpuDoctor = defineCommand({
  word: 'gpu',
  verb: 'doctor',
  summary: 'Check driver, cards, memory, disks and units of a host; without a host, what is not well on any',
  usage: 'gpu doctor [HOST … | TARGET … | all]',
  examples: ['gpu doctor', 'gpu doctor gpu-box-1'],
  access: 'read',
  takes: 'words',
  args: z.object({ words: z.array(z.string()) }),
  async run({ words }, tools) {
    const chosen = chosenHosts(words, tools)
    return chosen.ok ? examineAll(chosen.hosts, tools) : refusal(chosen.problem, 'usage')
  },
})

async function examineAll(names: readonly string[], tools: Tools): Promise<Report> {
  const exams: HostExam[] = names.map(waiting)
  const show = (): void => tools.progress(doctorLive({ tools, exams }))
  show()
  await Promise.all(
    names.map(async (name, at) => {
      exams[at] = await examOf(name, tools)
      show()
    }),
  )
  return doctorReport({ tools, exams })
}

async function examOf(name: string, tools: Tools): Promise<HostExam> {
  const { targets, telemetry, signal, every: after, redact, rules } = tools
  const host = tools.host(name)
  if (host === null) return unseen(name, NOT_SET)
  const units = targets.flatMap((one) => (one.host === name && one.unit !== null ? [one.unit] : []))
  const looked = await lookAtHealth({ host, units: [...new Set(units)], telemetry, signal, after, redact })
  if (looked.ok) return examine(name, looked.value, rules)
  return signal.aborted ? stopped(name) : unseen(name, looked.failure)
}

const NOT_SET = {
  kind: 'not-there',
  thing: 'host',
  observed: 'pilotflame.yml does not name it',
  next: 'whoever runs Pilotflame adds it there under hosts',
} as const
