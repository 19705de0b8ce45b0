import type { GateAnswer } from './box-changes.ts'
import type { Machine, WrittenLine } from './box-machine.ts'
import type { BoxUnits } from './box-units.ts'

/** What a model server writes while it starts, and how many seconds after its start; as SGLang says it. */
export const START_LINES: readonly WrittenLine[] = [
  [1, 'server_args=ServerArgs(model_path=/srv/models/demo, host=127.0.0.1, mem_fraction_static=0.88)'],
  [4, 'Load weight begin. avail mem=46.98 GB'],
  [21, 'Load weight end. type=DemoForCausalLM, avail mem=19.44 GB, mem usage=27.54 GB.'],
  [23, 'KV Cache is allocated. #tokens: 65536, K size: 4.00 GB, V size: 4.00 GB'],
  [38, 'Capture cuda graph end. Time elapsed: 14.52 s.'],
  [39, 'INFO:     Application startup complete.'],
  [42, 'The server is fired up and ready to roll!'],
]

/** The section `log` of a made-up unit, as journalctl would print it: `lines N [invocation HEX]`; other words change nothing. */
export function logRead(
  name: string,
  words: readonly string[],
  units: BoxUnits,
  machine: Machine | null = null,
): GateAnswer {
  const [, most = '1'] = words
  const only = words[words.indexOf('invocation') + 1]
  const run = units.run(name)
  const told =
    run === null || (words.includes('invocation') && only !== run.id)
      ? []
      : linesOf(run, machine?.log(name, run.since) ?? START_LINES)
  return { rc: 0, sections: [['log', told.slice(-Number(most)).join('\n')]] }
}

function linesOf(
  { id, pid, since }: NonNullable<ReturnType<BoxUnits['run']>>,
  written: readonly WrittenLine[],
): readonly string[] {
  return written.map(([afterS, message], at) => {
    const us = String((since + afterS * 1000) * 1000)
    const entry = {
      __CURSOR: `s=${id};i=${(at + 1).toString(16)};b=${id};m=${at};t=${at};x=${at}`,
      __REALTIME_TIMESTAMP: us,
      _PID: String(pid),
      _SYSTEMD_INVOCATION_ID: id,
      PRIORITY: '6',
      MESSAGE: message,
    }
    return JSON.stringify(entry)
  })
}
