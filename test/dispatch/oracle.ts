/** One ask of the permission matrix. */
export interface Cell {
  readonly sort: 'MEMBER' | 'GUEST' | 'SINGLE' | 'STRANGER' | 'DELETED' | 'BOT' | 'UNHEARD' | 'FOREIGN' | 'TEAMLESS'
  readonly role: 'none' | 'operator' | 'admin'
  readonly channel: 'C0ALL' | 'C0QWEN' | 'C0SHARED' | 'C0PENDING' | 'C0UNHEARD' | 'C0OTHER' | 'D0ANNA'
  readonly how: 'slash' | 'mention' | 'thread' | 'button'
  readonly verb: 'hello' | 'look' | 'turn' | 'rule'
  readonly named: string | null
}

/** Written from trust.md T1 to T3 without a look at the code: what must happen, in the words of the outcome. */
export function expected(cell: Cell): string {
  const { verb, how } = cell
  // whoever only talks in a thread changes nothing, and is told nothing that is a no
  if (how === 'thread' && ['turn', 'rule'].includes(verb)) return 'silent'
  const answer = mayAsk(cell) ? onWhat(cell) : 'refused'
  return how === 'thread' && !answer.startsWith('ran') ? 'silent' : answer
}

function mayAsk({ sort, role, channel, verb }: Cell): boolean {
  if (['GUEST', 'SINGLE', 'STRANGER', 'DELETED', 'BOT', 'FOREIGN'].includes(sort)) return false
  if (verb === 'hello') return true
  if (sort !== 'MEMBER') return false
  if (['C0OTHER', 'D0ANNA'].includes(channel)) return false
  if (verb === 'look') return true
  if (['C0SHARED', 'C0PENDING', 'C0UNHEARD'].includes(channel)) return false
  return verb === 'turn' ? role !== 'none' : role === 'admin'
}

function onWhat({ verb, named, channel, how }: Cell): string {
  if (verb === 'hello' || verb === 'rule') return 'ran'
  const meant = named ?? (how === 'thread' || channel === 'C0QWEN' ? 'qwen' : null)
  if (meant === null) return 'needs-clarification'
  return channel === 'C0QWEN' && meant !== 'qwen' ? 'usage' : `ran on ${meant}`
}
