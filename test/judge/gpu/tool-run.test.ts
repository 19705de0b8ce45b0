import { describe, expect, it, test } from 'vitest'
import { cardName, measured } from '../../../src/judge/gpu/card.ts'
import { APPS, QUERY, ran } from '../ran.ts'

const TABLE = `Mon Feb  2 10:11:12 2026
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 580.95.05              Driver Version: 580.95.05      CUDA Version: 13.0     |
+-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA RTX A6000               Off |   00000000:01:00.0 Off |                    2 |
| 30%   41C    P8             22W /  300W |   43210MiB /  49140MiB |      0%      Default |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA GB10                    On  |   0000000F:01:00.0 Off |                  N/A |
| N/A   36C    P8              4W /  N/A  | Not Supported          |      0%      Default |
+-----------------------------------------+------------------------+----------------------+
| Processes:                                                                              |
|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
|    0   N/A  N/A            4242      C   sglang::scheduler_TP0                 43010MiB |
|    0   N/A  N/A            1201      G   /usr/lib/xorg/Xorg                        4MiB |
+-----------------------------------------------------------------------------------------+
`

const cardsOf = (command: string, stdout: string) => ran(command, stdout).gpus?.cards
const notesOf = (command: string, stdout: string) => ran(command, stdout).gpus?.notes

describe('the table of nvidia-smi', () => {
  const { gpus, gpuProcesses } = ran('nvidia-smi', TABLE)

  it('has each card with its readings, what it does not report and its errors', () => {
    expect(gpus?.cards).toMatchObject([
      {
        ...{ index: 0, name: 'NVIDIA RTX A6000', slot: '00000000:01:00.0', driver: '580.95.05', pstate: 'P8' },
        ...{ memoryUsedMiB: 43210, memoryTotalMiB: 49140, utilization: 0, temperature: 41, powerW: 22, fan: 30 },
        ...{ powerLimitW: 300, gaps: [], others: { 'CUDA Version': '13.0', 'Volatile Uncorr. ECC': '2' } },
      },
      { name: 'NVIDIA GB10', memoryUsedMiB: null, memoryTotalMiB: null, fan: null, temperature: 36 },
    ])
    expect(gpus?.cards[1]?.gaps.map(({ field, why }) => [field, why])).toEqual([
      ['memoryTotalMiB', 'unsupported'],
      ['memoryUsedMiB', 'unsupported'],
      ['powerLimitW', 'unsupported'],
      ['fan', 'unsupported'],
    ])
  })

  it('has its processes, and nothing is left of it', () => {
    expect(gpuProcesses?.map(({ pid, name, memoryMiB }) => [pid, name, memoryMiB])).toEqual([
      [4242, 'sglang::scheduler_TP0', 43010],
      [1201, '/usr/lib/xorg/Xorg', 4],
    ])
    expect(gpus?.notes).toEqual([])
  })

  it('says that there are no processes, or says nothing of them', () => {
    const empty = TABLE.replaceAll(/\| {4}0 {3}N\/A.*\n/g, '')
    const none = empty.replace(/(={60,}\|\n)(?=\+-+\+\n$)/, '$1|  No running processes found        |\n')
    expect(ran('nvidia-smi', empty).gpuProcesses).toBeUndefined()
    expect(ran('nvidia-smi', none).gpuProcesses).toEqual([])
  })
})

describe('rows of a query', () => {
  it.each([
    ['without header and units', '0, NVIDIA L4, 9, 23034, 3, 31, 12.10, [N/A]\n'],
    ['with units', '0, NVIDIA L4, 9 MiB, 23034 MiB, 3 %, 31, 12.10 W, [N/A]\n'],
  ])('%s', (_, row) => {
    expect(cardsOf(QUERY, row)).toMatchObject([
      { memoryUsedMiB: 9, memoryTotalMiB: 23034, utilization: 3, temperature: 31, powerW: 12.1, fan: null },
    ])
  })

  it('may ask for anything, in any order', () => {
    const command =
      'nvidia-smi --query-gpu=remapped_rows.pending,index,power.draw.instant,mig.mode.current --format=csv'
    const header = 'remapped_rows.pending, index, power.draw.instant [W], mig.mode.current\n'
    expect(cardsOf(command, `${header}Yes, 1, 61.20 W, Enabled\n`)).toMatchObject([
      { index: 1, powerW: 61.2, others: { 'remapped_rows.pending': 'Yes', 'mig.mode.current': 'Enabled' } },
    ])
    expect(cardsOf('', `${header}Yes, 1, 61.20 W, Enabled\n`)).toHaveLength(1)
  })

  it('does not take a complaint for a row', () => {
    expect(notesOf('nvidia-smi --query-gpu=name --format=csv,noheader', 'No devices were found\n')).toHaveLength(1)
    const said = 'Unable to determine the device handle for GPU1: 0000:44:00.0: Unknown Error'
    expect(notesOf(QUERY, `0, NVIDIA L4, 9, 23034, 3, 31, 12.10, [N/A]\n${said}\n`)).toEqual([said])
  })

  it.each([
    ['[GPU is lost]', { lost: true, needsReset: false }],
    ['[GPU requires reset]', { lost: false, needsReset: true }],
    ['[Unknown Error]', { lost: false, needsReset: false }],
  ])('knows %s', (cell, state) => {
    expect(cardsOf(QUERY, `0, NVIDIA L4, ${cell}, 23034, 3, 31, 12.10, [N/A]\n`)).toMatchObject([state])
  })
})

describe('rows of processes', () => {
  const processesOf = (stdout: string) =>
    ran(APPS, stdout).gpuProcesses?.map(({ pid, name, memoryMiB }) => [pid, name, memoryMiB])

  it.each([
    ['a name', '4242, python3, 43010\n', [[4242, 'python3', 43010]]],
    ['a name with commas', '4242, python3 -m a, b, 43010\n', [[4242, 'python3 -m a, b', 43010]]],
    [
      'hidden names',
      '9911, [Not Found], 420\n9912, [Insufficient Permissions], [N/A]\n',
      [
        [9911, null, 420],
        [9912, null, null],
      ],
    ],
    ['none', '', []],
    ['none, said', 'No running processes found\n', []],
  ])('%s', (_, stdout, expected) => {
    expect(processesOf(stdout)).toEqual(expected)
  })

  it('is no answer where the tool complains', () => {
    expect(processesOf('Failed to initialize NVML: Unknown Error\n')).toBeUndefined()
  })
})

describe('other forms of nvidia-smi', () => {
  test('-L, without the instances of MIG', () => {
    const listed =
      'GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)\n  MIG 3g.40gb     Device  0: (UUID: MIG-c7384736-a75d-5afc-978f-d2f1294409fd)\n'
    expect(cardsOf('nvidia-smi -L', listed)).toMatchObject([{ index: 0, name: 'NVIDIA A100-SXM4-80GB' }])
    expect(notesOf('nvidia-smi -L', listed)).toEqual([])
  })

  test('-q, in sections, and a part of it', () => {
    const part =
      '    FB Memory Usage\n        Total                             : 81920 MiB\n        Used                              : 4 MiB\n    Fan Speed                             : N/A\n'
    const whole = `==============NVSMI LOG==============\n\nDriver Version                            : 580.95.05\nAttached GPUs                             : 1\nGPU 00000000:44:00.0\n${part}    GPU Recovery Action                   : None\n`
    expect(cardsOf('nvidia-smi -q', whole)).toMatchObject([
      {
        slot: '00000000:44:00.0',
        memoryTotalMiB: 81920,
        memoryUsedMiB: 4,
        fan: null,
        others: { 'GPU Recovery Action': 'None' },
      },
    ])
    expect(cardsOf('nvidia-smi -q | grep', part)).toMatchObject([{ slot: null, memoryTotalMiB: 81920 }])
  })

  test('-q -x', () => {
    const xml =
      '\t<gpu id="00000000:44:00.0">\n\t\t<fb_memory_usage>\n\t\t\t<total>81920 MiB</total>\n\t\t\t<used>4 MiB</used>\n\t\t</fb_memory_usage>\n\t\t<fan_speed>N/A</fan_speed>\n\t</gpu>\n'
    expect(cardsOf('nvidia-smi -q -x', xml)).toMatchObject([
      { slot: '00000000:44:00.0', memoryTotalMiB: 81920, memoryUsedMiB: 4, fan: null },
    ])
  })
})

describe('tools of AMD', () => {
  test('rocm-smi: table, lines and JSON', () => {
    const table =
      'GPU  Temp (DieEdge)  AvgPwr  SCLK  MCLK   Fan  Perf  PwrCap  VRAM%  GPU%\n0    51.0c           4.0W    0Mhz  96Mhz  12%   auto  100.0W   11%   7%\n'
    expect(cardsOf('rocm-smi', table)).toMatchObject([
      { index: 0, temperature: 51, powerW: 4, fan: 12, utilization: 7 },
    ])
    const lines = 'GPU[0]\t\t: VRAM Total Memory (B): 17163091968\nGPU[0]\t\t: VRAM Total Used Memory (B): 299892736\n'
    expect(cardsOf('rocm-smi --showmeminfo vram', lines)).toMatchObject([
      { index: 0, memoryTotalMiB: 16368, memoryUsedMiB: 286 },
    ])
    const json = '{"card1": {"GPU use (%)": "3", "VRAM Total Memory (B)": "17163091968"}, "system": {}}\n'
    expect(cardsOf('rocm-smi --json', json)).toMatchObject([{ index: 1, utilization: 3, memoryTotalMiB: 16368 }])
  })

  test('amd-smi: text, JSON and table', () => {
    const text =
      'GPU: 0\n    USAGE:\n        GFX_ACTIVITY: 3 %\n    POWER:\n        SOCKET_POWER: 144 W\n    FAN:\n        USAGE: N/A\n    MEM_USAGE:\n        TOTAL_VRAM: 196592 MB\n        USED_VRAM: 283 MB\n'
    const expected = { index: 0, utilization: 3, powerW: 144, memoryTotalMiB: 196592, memoryUsedMiB: 283, fan: null }
    expect(cardsOf('amd-smi metric', text)).toMatchObject([expected])
    const json =
      '[{"gpu":0,"usage":{"gfx_activity":{"value":3,"unit":"%"}},"power":{"socket_power":{"value":144,"unit":"W"}},"fan":{"usage":"N/A"},"mem_usage":{"total_vram":{"value":196592,"unit":"MB"},"used_vram":{"value":283,"unit":"MB"}}}]'
    expect(cardsOf('amd-smi metric --json', json)).toMatchObject([expected])
    const table =
      '| AMD-SMI 26.2.1+fc0010cf6a    amdgpu version: Linuxver ROCm version: 7.2.0    |\n| 0000:c3:00.0    Radeon 8060S Graphics | N/A        N/A   0           N/A |\n|   0       0     N/A             N/A | N/A        N/A             154/512 MB |\n'
    expect(cardsOf('amd-smi', table)).toMatchObject([
      { index: 0, slot: '0000:c3:00.0', memoryUsedMiB: 154, memoryTotalMiB: 512 },
    ])
  })
})

describe('bus and kernel', () => {
  test('lspci -nnk: cards and who has them; without -k nobody knows', () => {
    const head =
      '41:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102GL [RTX A6000] [10de:2230] (rev a1)\n'
    const audio =
      '41:00.1 Audio device [0403]: NVIDIA Corporation GA102 High Definition Audio [10de:1aef] (rev a1)\n\tKernel driver in use: snd_hda_intel\n'
    const { pci, gpus } = ran(
      'lspci -nnk',
      `${head}\tKernel driver in use: vfio-pci\n\tKernel modules: nouveau\n${audio}`,
    )
    expect(pci).toEqual([
      { slot: '0000:41:00.0', vendor: '0x10de', device: '0x2230', class: '0x0300', driver: 'vfio-pci' },
    ])
    expect(gpus?.notes).toEqual([])
    expect(ran('lspci -nn', head).pci).toBeUndefined()
  })

  test('lines of the kernel, whoever prints them', () => {
    const line = '[  12.3] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.90.07'
    expect(ran('nvidia-smi; dmesg', `No devices were found\n${line}\n`)).toMatchObject({
      kernel: [line],
      gpus: { notes: ['No devices were found'] },
    })
    expect(ran('dmesg | tail -1', 'usb 1-1: new device\n').kernel).toEqual(['usb 1-1: new device'])
    expect(
      ran('dmesg', '', { stderr: 'dmesg: read kernel buffer failed: Operation not permitted' }).kernel,
    ).toBeUndefined()
  })
})

describe('bounds', () => {
  it('keeps 50 notes of 100,000 lines, 500 lines of the kernel, and 5,000 rows', () => {
    expect(notesOf('nvidia-smi', 'what is this\n'.repeat(100_000))).toHaveLength(50)
    expect(ran('dmesg', 'NVRM: x\n'.repeat(100_000)).kernel).toHaveLength(500)
    expect(cardsOf(QUERY, '0, NVIDIA L4, 9, 23034, 3, 31, 12.10, [N/A]\n'.repeat(100_000))).toHaveLength(5000)
  })
})

test.each([
  ['43210 MiB', 43210],
  ['0 %', 0],
  ['41C', 41],
  ['36.0c', 36],
  ['8 GiB', 8192],
  ['17163091968 B', 16368],
  ['[N/A]', null],
  ['P8', null],
  ['1e9', null],
  ['', null],
])('%j measures %j', (cell, expected) => {
  expect(measured(cell)).toBe(expected)
})

test('a card is named as far as it is known', () => {
  const [card] = ran(QUERY, '2, NVIDIA L4, 9, 23034, 3, 31, 12.10, [N/A]\n').gpus?.cards ?? []
  if (card === undefined) throw new Error('no card')
  expect(cardName(card)).toBe('GPU 2 (NVIDIA L4)')
  expect(cardName({ ...card, index: null, name: null, slot: '0000:01:00.0' })).toBe('GPU 0000:01:00.0')
  expect(cardName({ ...card, index: null, name: null })).toBe('the GPU')
})
