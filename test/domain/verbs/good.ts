import type { GateReply } from '../../../src/domain/gate.ts'
import { readFence } from '../../../src/domain/unit.ts'
import type { Verb } from '../../../src/domain/verb.ts'
import {
  cards,
  disk,
  dmesgGpu,
  gpu,
  gpuProcesses,
  hostHealth,
  kill,
  listeners,
  log,
  modelFiles,
  opstat,
  pci,
  ping,
  process,
  resetFailed,
  restart,
  start,
  stop,
  tree,
  unit,
  units,
  variant,
  versions,
} from '../../../src/domain/verbs/index.ts'
import { entry, GPU_ROWS, INVOCATION, PACKED, processLine, reply, SHOW } from './replies.ts'

/** One good answer of every verb. `words` are what is sent, `parse` reads whatever answer it is given. */
export interface Good {
  readonly name: string
  readonly words: readonly string[]
  readonly answer: GateReply
  parse(answer: GateReply): ReturnType<Verb<never, unknown>['parse']>
}

const fence = readFence(`12.active-${INVOCATION}`) ?? { token: '', generation: 0, seen: { state: 'stopped' } }
const change = { unit: 'sglang', fence }
const act = reply({ act: 'state=done\ngeneration=13\nrc=0\nat=1767225600\nsaid=\n' })
const processes = `${processLine(4242, 1, ['/venv/bin/python', '-m', 'sglang.launch_server'])}\n${processLine(4300, 4242, ['sglang::scheduler_TP0'])}\n`

export const GOOD: readonly Good[] = [
  good(
    ping,
    {},
    {
      ping: 'gate=1\ndelivery=quick\nuser=llm\nuid=1000\nhost=gpu-box-1\nkernel=6.1.0-38-amd64\nos=Debian GNU/Linux 12 (bookworm)\nboot=1c2d3e4f-0000-1111-2222-333344445555\nuptime=5123.45\ntime=1767225600\nsystemd=252\nsudo=yes\nstate=/var/lib/pilotflame\n',
    },
  ),
  good(gpu, {}, { gpu: GPU_ROWS }),
  good(
    gpuProcesses,
    {},
    {
      apps: 'GPU-8f6b1c2d-0000-1111-2222-333344445555, 4300, sglang::scheduler_TP0, 43010\nGPU-9a7c2d3e-0000-1111-2222-333344445555, 9911, [Not Found], [N/A]\n',
      processes,
    },
  ),
  good(
    cards,
    {},
    {
      host: 'tool=nvidia-smi\ntime=1767225600\ncontainer=lxc\n',
      units: 'qwen sglang.service\nsmall vllm@small.service\n',
      cards: GPU_ROWS,
      apps: 'GPU-8f6b1c2d-0000-1111-2222-333344445555, 4300, sglang::scheduler_TP0, 43010\n',
      processes,
    },
  ),
  good(
    dmesgGpu,
    {},
    {
      dmesg:
        "2026-01-01T00:00:00,123456+00:00 NVRM: Xid (PCI:0000:01:00): 79, pid='<unknown>', GPU has fallen off the bus.\n",
    },
  ),
  good(pci, {}, { pci: '0000:01:00.0 0x10de 0x2230 0x030000 vfio-pci\n0000:41:00.0 0x10de 0x2230 0x030200 -\n' }),
  good(
    hostHealth,
    {},
    {
      machine:
        'kernel=6.8.12-8-pve\nuptime=5123\ntime=1767225600\ncontainer=lxc\nvm=none\ndriver=580.95.05\nMemTotal=263856168\nMemAvailable=248120404\nSwapTotal=0\nSwapFree=0\n',
      devices: 'nvidia0 rw\nnvidiactl -\n',
      services:
        'Id=nvidia-fabricmanager.service\nLoadState=not-found\nActiveState=inactive\n\nId=nvidia-persistenced.service\nLoadState=loaded\nActiveState=active\n',
      disk: 'Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/vda 264212084 28297552 78093360 27% /\n',
      cards: 'columns index,uuid,persistence_mode\n0, GPU-1, Enabled\n',
      links: 'GPU 0: NVIDIA RTX A6000 (UUID: GPU-1)\n\t Link 0: 14.062 GB/s\n',
    },
  ),
  good(units, {}, { 'unit.sglang': SHOW, 'unit.vllm': SHOW.replaceAll('sglang', 'vllm') }),
  good(
    unit,
    { unit: 'sglang' },
    {
      unit: SHOW,
      fence: `${fence.token}\n`,
      variants: 'eagle\navailable eagle\navailable small-pool\n',
    },
  ),
  good(
    log,
    { unit: 'sglang', lines: 200, since: 1767225000, invocation: INVOCATION, after: PACKED },
    { log: `${entry('Loading weights')}\n${entry([27, 91, 49, 109, 104, 105])}\n${entry(null)}\n` },
  ),
  good(
    listeners,
    { port: 30_000 },
    {
      listeners:
        'LISTEN 0 2048 127.0.0.1:30000 0.0.0.0:* users:(("python",pid=4242,fd=3))\nLISTEN 0 128 [::1]:30000 [::]:* users:(("nginx",pid=7,fd=8),("nginx",pid=8,fd=8))\n',
      processes,
    },
  ),
  good(process, { pid: 4300 }, { processes: processes.split('\n').toReversed().join('\n') }),
  good(tree, { unit: 'sglang' }, { processes }),
  good(
    modelFiles,
    { unit: 'sglang' },
    {
      place: 'argv /models/Qwen3 8B\n',
      list: '728 config.json\n4902257696 model-00001-of-00002.safetensors\n',
      'config.json': '{"architectures":["Qwen3ForCausalLM"],"max_position_embeddings":40960}',
      'generation_config.json': '{"temperature":0.6}',
      index: '{\n  "metadata": {\n    "total_size": 16381470720\n  },\n  "weight_map": {\n    "lm_head',
      card: '- `sglang>=0.4.6.post1`\n',
    },
  ),
  good(
    disk,
    { unit: 'sglang' },
    {
      disk: 'Filesystem     1024-blocks     Used Available Capacity Mounted on\n/dev/vda         264212084 28297552  78093360      27% /\nnas:/my models    10000000  9999999         1     100% /mnt/my models\n',
    },
  ),
  good(
    versions,
    { unit: 'sglang' },
    {
      packages: 'sglang-0.5.9.dist-info\nflashinfer_python-0.6.1.dist-info\ntorch-2.9.1+cu129.dist-info\n',
      driver:
        'NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.261.03  Thu Jun  5 20:00:00 UTC 2025\nGCC version:  gcc version 12.2.0\n',
      os: 'PRETTY_NAME=Debian GNU/Linux 12 (bookworm)\nkernel=6.1.0-38-amd64\n',
    },
  ),
  { ...good(start, change, {}), answer: act },
  { ...good(stop, change, {}), answer: act },
  { ...good(restart, change, {}), answer: act },
  { ...good(resetFailed, change, {}), answer: act },
  { ...good(kill, { ...change, pid: 4300, start: 127_756, owner: 'llm', signal: 'TERM' }, {}), answer: act },
  { ...good(variant, { ...change, variant: 'eagle' }, {}), answer: act },
  good(opstat, { target: INVOCATION }, { op: 'done restart sglang 1767225600 0\n' }),
]

function good<Args, Result>(verb: Verb<Args, Result>, args: Args, sections: Parameters<typeof reply>[0]): Good {
  return {
    name: verb.name,
    words: verb.words(args),
    answer: reply(sections),
    parse: (answer) => verb.parse(answer, args),
  }
}
