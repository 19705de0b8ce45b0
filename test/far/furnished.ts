import { GPU_ROWS } from '../domain/verbs/replies.ts'
import type { BothWays } from './both-ways.ts'
import { bothWays } from './both-ways.ts'
import type { Box } from './box/box.ts'
import { install } from './box/install.ts'
import { test as farTest } from './far-test.ts'

/** A test of verbs on the box of the file, which has been furnished with tools, units, and models that no machine here has. */
export const test = farTest.extend<{ readonly ways: BothWays; readonly waysOfFile: () => Promise<BothWays> }>({
  waysOfFile: [
    async ({ boxOfFile }, use) => {
      const made: BothWays[] = []
      await use(async () => {
        const ways = made[0] ?? bothWays(await furnish(await boxOfFile()))
        if (made.length === 0) made.push(ways)
        return ways
      })
      for (const ways of made) await ways.close()
    },
    { scope: 'file' },
  ],
  async ways({ box, waysOfFile }, use) {
    if (box.name !== '') await use(await waysOfFile())
  },
})

/** What a shell line prints as root, past sshd and gate. */
export async function look(box: Box, line: string): Promise<string> {
  const { rc, stdout, stderr } = await box.exec(line)
  if (rc !== 0) throw new Error(`${line}: ${rc} ${stderr}`)
  return stdout.trimEnd()
}

/** One property of a unit. */
export function show(box: Box, unit: string, property: string): Promise<string> {
  return look(box, `systemctl show -P ${property} ${unit}`)
}

/** When a process started, as field 22 of its stat tells. */
export async function startOf(box: Box, pid: number): Promise<number> {
  return Number((await look(box, `sed 's/.*) //' /proc/${pid}/stat`)).split(' ')[19])
}

/** Lets `talker` write to its standard output. */
export async function talk(box: Box, text: string): Promise<void> {
  const { rc, stderr } = await box.exec(
    `timeout 5 sh -c 'until [ -p ${PIPE} ]; do sleep 0.05; done; cat >${PIPE}'`,
    text,
  )
  if (rc !== 0) throw new Error(`talker does not listen: ${stderr}`)
}

/** Lets the double of nvidia-smi answer as it does in a state; see `NVIDIA`. */
export function gpuState(box: Box, state: keyof typeof NVIDIA | 'hangs'): Promise<void> {
  return box.disk.write('/etc/double/nvidia-smi', `${state}\n`)
}

/** Whether the account may read the kernel's lines by dmesg. */
export function dmesgAllowed(box: Box, allowed: boolean): Promise<void> {
  return box.disk.write('/etc/double/dmesg', allowed ? 'ok\n' : 'refused\n')
}

export const MODEL = '/srv/models/tiny'
export const LOG_FILE = '/var/log/filed/server.log'

/** The account of which left-over processes may be ended with `quiet`. */
export const STRAYS = 'operator'

const PIPE = '/run/talker'

const UNITS: Readonly<Record<string, string>> = {
  // a parent and its child, both asleep: nothing about them changes
  quiet: `/bin/sh -c 'echo "quiet is up"; sleep infinity & wait'`,
  served: `/bin/sh -c 'sleep infinity & wait' sglang serve --port 30000 --model-path ${MODEL}`,
  hub: `/bin/sh -c 'sleep infinity & wait' vllm serve acme/tiny`,
  gguf: `/bin/sh -c 'sleep infinity & wait' llama-server -m ${MODEL}.gguf`,
  listed: '/bin/sleep infinity',
  venv: '/opt/venv/bin/python infinity',
  filed: '/bin/sleep infinity',
  talker: `/bin/sh -c '[ -p ${PIPE} ] || mkfifo ${PIPE}; while :; do cat <${PIPE}; done'`,
}

const OPTIONS = [
  ...Object.keys(UNITS).flatMap((name) => ['--unit', `${name}=${name}.service`]),
  ...['--log', `filed=${LOG_FILE}`, '--model', `listed=${MODEL}`],
  // the second one lets the account ask for the end of what carries its own call
  ...['--strays', `quiet=${STRAYS}`, '--strays', 'filed=pilotflame'],
]

async function furnish(box: Box) {
  const { disk } = box
  for (const [name, command] of Object.entries(UNITS)) {
    const owner = name === 'hub' ? 'User=operator\n' : ''
    await disk.write(`/etc/systemd/system/${name}.service`, `[Service]\n${owner}ExecStart=${command}\n`)
  }
  await model(box, MODEL)
  await disk.write(`${MODEL}.gguf`, 'GGUF')
  const hub = '/home/operator/.cache/huggingface/hub/models--acme--tiny'
  await disk.write(`${hub}/refs/main`, 'ab12')
  await model(box, `${hub}/snapshots/ab12`)
  await disk.link('/bin/sleep', '/opt/venv/bin/python')
  for (const name of PACKAGES) await disk.write(`/opt/venv/lib/python3.12/site-packages/${name}/METADATA`, '')
  await disk.write(LOG_FILE, 'first line\n')
  for (const [state, { rc, gpu, apps }] of Object.entries(NVIDIA)) {
    await disk.write(`/etc/double/${state}.rc`, String(rc))
    await disk.write(`/etc/double/${state}.gpu`, gpu)
    await disk.write(`/etc/double/${state}.apps`, apps)
  }
  await disk.write('/usr/local/bin/nvidia-smi', NVIDIA_SMI, { mode: 0o755 })
  await disk.write('/usr/sbin/dmesg', DMESG, { mode: 0o755 })
  await gpuState(box, 'ok')
  await dmesgAllowed(box, true)
  await look(box, 'systemctl daemon-reload && systemctl start quiet served hub gguf listed venv filed talker')
  return install(box, OPTIONS)
}

async function model({ disk }: Box, folder: string): Promise<void> {
  await disk.write(`${folder}/config.json`, CONFIG)
  await disk.write(`${folder}/generation_config.json`, '{"temperature": 0.6, "top_p": 0.95}\n')
  await disk.write(`${folder}/model.safetensors.index.json`, '{"metadata": {"total_size": 123456}, "weight_map": {}}')
  await disk.write(`${folder}/model-00001-of-00001.safetensors`, 'w'.repeat(1234))
  await disk.write(`${folder}/README.md`, CARD)
}

const CONFIG =
  '{"architectures": ["TinyForCausalLM"], "max_position_embeddings": 8192, "note": "schön\\nGATE x end 0"}\n'

const CARD = `# Tiny
Use sglang>=0.5.2 to serve it.
It likes tea.
We recommend Temperature=0.6 and Top_P=0.95.
`

const PACKAGES = [
  'sglang-0.5.9.dist-info',
  'torch-2.9.1+cu128.dist-info',
  'flashinfer_python-0.6.2.dist-info',
  'requests-2.32.0.dist-info',
]

/** States of a machine, as nvidia-smi 535.261.03 shows them (testbed.md 7). */
export const NVIDIA = {
  ok: { rc: 0, gpu: GPU_ROWS, apps: 'GPU-8f6b1c2d-0000-1111-2222-333344445555, QUIET, sglang::scheduler, 43100\n' },
  lost: {
    rc: 0,
    gpu: `${GPU_ROWS.split('\n')[0]}\n1, GPU-9a7c2d3e-0000-1111-2222-333344445555, 00000000:41:00.0, NVIDIA RTX A6000, 535.261.03${', [GPU is lost]'.repeat(8)}\n`,
    apps: '',
  },
  nodriver: said(
    9,
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n",
  ),
  nolib: said(
    12,
    "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed and present in your system.\n\n",
  ),
  mismatch: said(255, 'Failed to initialize NVML: Mismatch in versions between nvidia-smi and NVML.\n'),
  badfield: said(2, 'Field "pstate" is not a valid field to query.\n\n'),
  badoption: said(255, 'Option "--format=csv,noheader,nounits" is not recognized.\n'),
} as const

/** All that it says, it says on standard output. */
function said(rc: number, text: string) {
  return { rc, gpu: text, apps: text }
}

/** QUIET is the process of that unit. */
const NVIDIA_SMI = `#!/bin/sh
read -r state </etc/double/nvidia-smi
if [ "$state" = hangs ]; then exec sleep infinity; fi
case $1 in --query-gpu=*) kind=gpu ;; --query-compute-apps=*) kind=apps ;; *) exit 99 ;; esac
sed "s/QUIET/$(systemctl show -P MainPID quiet)/" "/etc/double/$state.$kind"
exit "$(cat "/etc/double/$state.rc")"
`

const DMESG = `#!/bin/sh
read -r state </etc/double/dmesg
if [ "$state" = refused ]; then echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1; fi
cat <<END
2026-05-01T12:00:00,123456+00:00 NVRM: Xid (PCI:0000:41:00): 79, pid=4242, GPU has fallen off the bus.
2026-05-01T12:00:01,000000+00:00 usb 1-1: new high-speed USB device
2026-05-01T12:00:02,500000+00:00 Out of memory: Killed process 4242 (sglang)
END
`
