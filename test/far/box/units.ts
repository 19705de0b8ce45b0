import type { ModelName } from '../engine/models/index.ts'
import type { Program } from '../engine/program.ts'

/** Unit files by name. One with an [Install] section starts with the box. */
export type Units = Readonly<Record<string, string>>

/** A real inference server and the folder of its models. */
export interface Engine {
  readonly program: Program
  readonly models: string
}

/** sglang.service: the engine, or something that only waits where there is none. */
export function engineUnit(engine: Engine | null, port: number): Units {
  return {
    'sglang.service': `[Unit]
Description=Inference server
StartLimitIntervalSec=60
StartLimitBurst=30
[Service]
EnvironmentFile=${MODEL_FILE}
${engine === null ? WAITING : serving(engine, port)}
Restart=on-failure
RestartSec=1
[Install]
WantedBy=multi-user.target
`,
  }
}

/** Names the model of sglang.service: a test writes another `modelLine` into it, and restarts. */
export const MODEL_FILE = '/etc/default/sglang'

export function modelLine(model: ModelName): string {
  return `MODEL=${model}\n`
}

const WAITING = `ExecStart=/bin/sh -c 'echo "serving $MODEL"; exec sleep infinity'`

function serving({ program, models }: Engine, port: number): string {
  const { file, args, env } = program
  const flags = `-m ${models}/\${MODEL}.gguf --host 127.0.0.1 --port ${port} -c 8192 -np 2 -t 1 --metrics --no-ui`
  const environment = Object.entries(env).map(([name, value]) => `Environment=${name}=${value}`)
  return [...environment, `ExecStart=${[file, ...args].join(' ')} ${flags}`].join('\n')
}

/** Where `slow.service` notes each of its starts, in seconds since 1970. */
export const STARTS = '/var/log/slow.starts'

/** Units in every box that a healthy one is not enough for. None of them starts by itself. */
export const troubles: Units = {
  'loop.service': unit('StartLimitIntervalSec=0', [
    `ExecStart=/bin/sh -c 'echo "torch.OutOfMemoryError: CUDA out of memory."; exit 1'`,
    'Restart=on-failure',
    'RestartSec=1',
  ]),
  'dying.service': unit('', ['ExecStart=/bin/false']),
  'hung.service': unit('', ['Type=notify', 'TimeoutStartSec=300', 'ExecStart=/bin/sleep infinity']),
  'stopped.service': unit('', ['ExecStart=/bin/sleep infinity']),
  'slow.service': unit('StartLimitIntervalSec=0', [
    'ExecStartPre=/bin/sleep 0.5',
    `ExecStart=/bin/sh -c 'date +%%s.%%N >>${STARTS}; exec sleep infinity'`,
  ]),
}

function unit(head: string, service: readonly string[]): string {
  return ['[Unit]', head, '[Service]', ...service, ''].join('\n')
}
