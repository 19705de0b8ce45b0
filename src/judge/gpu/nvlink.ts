/** The NVLinks of one card, as `nvidia-smi nvlink --status` lists them. */
export interface CardLinks {
  /** its number, as the tool counts */
  readonly index: number
  readonly active: number
  /** numbers of those that do not run */
  readonly down: readonly number[]
}

/** Cards without NVLink are not listed by the tool, or have none that runs. */
export function readLinks(text: string): readonly CardLinks[] {
  const cards: { index: number; active: number; down: number[] }[] = []
  for (const line of text.split('\n', MOST)) {
    const [, index] = /^GPU (\d{1,3}): /.exec(line) ?? []
    if (index !== undefined) cards.push({ index: Number(index), active: 0, down: [] })
    const [, link, state = ''] = /^\s+Link (\d{1,3}): (<inactive>|[\d.]{1,10} GB\/s)/.exec(line) ?? []
    const card = cards.at(-1)
    if (link === undefined || card === undefined) continue
    if (state === '<inactive>') card.down.push(Number(link))
    else card.active += 1
  }
  return cards
}

/** 64 cards with 18 links each */
const MOST = 1300
