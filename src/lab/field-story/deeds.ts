import type { FieldBox } from './machine.ts'

/** Something that the team does on its box, past the chat. What it changes counts from the next start on. */
export interface Deed {
  /** behind "The team": `raises …` */
  readonly label: string
  /** what Ben writes of it */
  readonly said: string
  /** whether the team starts the server itself; else the product is asked to */
  readonly starts: boolean
  act(box: FieldBox): void
}

/** What the team of the field story did, in its order: what a diagnosis named, and once what nobody had named. */
export const DEEDS: readonly Deed[] = [
  {
    label: 'raises the static share, asks for less, starts it',
    said: 'I set --mem-fraction-static 0.88, --max-running-requests 16 and --mamba-full-memory-ratio 0.5 in serve.sh, and started it.',
    starts: true,
    act: (box) => box.set({ memFraction: 0.88, maxRunning: 16, mambaRatio: 0.5 }),
  },
  {
    label: 'suspects the attention backend, and frees the GPUs',
    said: 'I think it is the attention backend: --attention-backend triton in serve.sh. And I freed the GPUs: pkill -9 -f sglang::',
    starts: false,
    act(box) {
      box.killSchedulers()
      box.set({ attention: 'triton' })
    },
  },
  {
    label: 'ends the old server, starts the new one',
    said: 'I ended the process that ss showed on port 30000, set KillMode=control-group in field.service, and started it.',
    starts: true,
    act(box) {
      box.endServer()
      box.set({ killMode: 'control-group' })
    },
  },
  {
    label: 'upgrades to SGLang 0.5.11',
    said: 'I upgraded SGLang to 0.5.11 in /opt/sglang; the driver, 580.95.05, is new enough.',
    starts: false,
    act: (box) => box.set({ version: '0.5.11' }),
  },
  {
    label: 'adds extra_buffer',
    said: 'I added --mamba-scheduler-strategy extra_buffer to serve.sh.',
    starts: false,
    act: (box) => box.set({ mamba: 'extra_buffer' }),
  },
]
