import { describe, expect, it } from 'vitest'
import { diagnose } from '../../../src/judge/diagnose.ts'
import { gpuHealthy } from '../../../src/judge/rules/gpu-healthy.ts'
import { rules } from '../../../src/judge/rules/index.ts'
import { APPS, NO_DRIVER, QUERY, ran, rows, WELL, xid } from '../ran.ts'
import { smokeOf } from '../samples.ts'

const POOL = '43210, 49140, 0, 41, 22.18, 30'
const VGPU = ran(QUERY, '0, GRID A100-10C, 640, 10240, 0, [N/A], [N/A], [N/A]\n')

const WELL_THOUGH_ODD = [
  ['a pool', ran(QUERY, rows(POOL, POOL)), 'ok.static-pool', '88 %'],
  ['no fan', ran(QUERY, rows('9, 46068, 0, 17, 21.40, [N/A]')), 'ok.field-na', 'no fan of its own'],
  ['a part of a card', VGPU, 'ok.field-na', 'vGPU'],
  [
    'MIG',
    ran('nvidia-smi --query-gpu=index,utilization.gpu,mig.mode.current --format=csv,noheader', '0, [N/A], Enabled\n'),
    'ok.field-na',
    'instances',
  ],
  [
    'memory of the host',
    ran(QUERY, '0, NVIDIA GB10, [N/A], [N/A], 0, 36, 11.17, [N/A]\n'),
    'ok.unified-memory',
    '/proc/meminfo',
  ],
  [
    'an APU',
    ran(QUERY, '0, AMD Ryzen AI Max+ 395, [N/A], [N/A], 0, 36, 11.17, [N/A]\n'),
    'ok.unified-memory',
    'shares',
  ],
  [
    'the chatter of a login',
    ran(QUERY, rows(WELL), {
      stderr: 'mesg: ttyname failed: Inappropriate ioctl for device\nX11 forwarding request failed on channel 0',
    }),
    'ok.stderr-noise',
    'of the login',
  ],
  [
    'once',
    ran(QUERY, rows('12, 49140, 0, 35, [Unknown Error], 30'), { told: ['recheck: 5 s later 18.10 W'] }),
    'ok.transient',
    'single failure',
  ],
  [
    'a header',
    ran(
      QUERY.replace(',noheader,nounits', ''),
      'index, name, memory.used [MiB], memory.total [MiB], utilization.gpu [%], temperature.gpu, power.draw [W], fan.speed [%]\n0, NVIDIA L4, 9 MiB, 23034 MiB, 0 %, 31, 12.10 W, 3 %\n',
    ),
    'ok.format',
    'header and units',
  ],
  ['colours', ran('nvidia-smi topo -m', '\t\u001b[4mGPU0\tGPU1\u001b[0m\nGPU0\t X \tNV4\n'), 'ok.format', 'underlines'],
  ['hidden names', ran(APPS, '9911, [Not Found], 420\n'), 'ok.field-na', 'namespace'],
  ['a name with commas', ran(APPS, '4242, python3 -m a, b, 420\n'), 'ok.literal-data', 'meant as it stands'],
  [
    'a name like a complaint',
    ran(APPS, '4242, watch for GPU is lost, 420\n'),
    'ok.literal-data',
    'no message of the tool',
  ],
  [
    'numbers of the host',
    ran(APPS, '4242, python3, 420\n', { place: 'container' }),
    'ok.pid-namespace',
    'those of the host',
  ],
  ['no names in a container', ran(APPS, '', { place: 'container' }), 'ok.pid-namespace', 'normal'],
  ['nobody', ran(APPS, ''), 'ok.ran', 'no process'],
  ['readings', ran(QUERY, rows(WELL)), 'ok.ran', '1 GPU answered'],
  ['a busy card', ran(QUERY, rows('48000, 49140, 100, 83, 299.00, 78')), 'ok.ran', 'nothing is wrong'],
  [
    'a warning',
    ran('rocm-smi', 'WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n'),
    'ok.warning',
    'warns of nothing',
  ],
  ['no Xid', ran('dmesg | grep -i xid', '', { rc: 1 }), 'ok.ran', 'complains of nothing'],
  [
    'the start of the driver',
    ran('dmesg | grep NVRM', 'NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.90.07\n'),
    'ok.info',
    'only inform',
  ],
  [
    'a tainted kernel',
    ran('dmesg', 'nvidia: module verification failed: signature and/or required key missing - tainting kernel\n'),
    'ok.info',
    'only inform',
  ],
] as const

describe('what looks odd and is well', () => {
  it.each(WELL_THOUGH_ODD)('%s', (_, evidence, code, words) => {
    const { verdict, findings } = diagnose(evidence, rules)
    expect({ verdict, code: findings[0].code }).toEqual({ verdict: 'healthy', code })
    expect(findings[0].cause).toContain(words)
    expect(findings[0].because.length).toBeGreaterThan(0)
    expect(findings).toHaveLength(1)
  })
})

const NOT_WELL = [
  ['a status that is not 0', ran('nvidia-smi', 'GPU 0: what\n', { rc: 1 })],
  ['no driver', ran('nvidia-smi', NO_DRIVER, { rc: 0 })],
  ['a complaint that nobody knows', ran('nvidia-smi', 'internal error 7\n')],
  ['a complaint beside readings', ran(QUERY, `${rows(WELL)}some error happened\n`)],
  ['an Xid', ran('dmesg', `${xid(250)}\n`)],
  ['a complaint of the kernel', ran('dmesg', 'NVRM: something failed badly\n')],
  ['nothing at all', ran('nvidia-smi', '')],
  ['timed out', ran('nvidia-smi', '', { timedOut: true, rc: null })],
  [
    'a search that could not be made',
    ran('dmesg | grep -i xid', '', { rc: 1, stderr: 'dmesg: read kernel buffer failed: Operation not permitted' }),
  ],
  ['no module', ran('lsmod | grep nvidia', '', { rc: 1 })],
  [
    'an error of memory that the kernel counts',
    ran('dmesg', 'EDAC MC0: 1 UE memory read error, uncorrected ECC error\n'),
  ],
  ['beside a smoke', { ...ran(QUERY, rows(WELL)), smoke: smokeOf() }],
  ['no tool', { target: { name: 'qwen', url: '', host: null } }],
] as const

describe('is silent', () => {
  it.each(NOT_WELL)('%s', (_, evidence) => {
    expect(gpuHealthy.check(evidence)).toEqual([])
  })
})
