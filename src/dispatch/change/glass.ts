import type { OpenPlan, Plans } from '../../domain/plan.ts'

/** How long a second person may approve, in ms; after so long a silence the glass may be broken. */
export const APPROVAL_MS = 5 * 60_000
/** How long after the approval was asked for the glass may be broken, in ms. */
const GLASS_MS = 30 * 60_000

type Asked = Pick<OpenPlan, 'approval' | 'at'>

/** Until when the silence about it breaks the glass, epoch ms. */
export function glassUntil({ at }: Pick<Asked, 'at'>): number {
  return at + GLASS_MS
}

/** Whether it is young enough for the glass to be broken over it, now or soon. */
export function isBreakable(asked: Asked, now: number): boolean {
  return asked.approval === 'second' && now <= glassUntil(asked)
}

/** Whether somebody may yet break the glass over it, since nobody said no to this or another approval of the same. */
export async function needsNo(
  asked: Asked & Pick<OpenPlan, 'line' | 'place'>,
  now: number,
  store: Pick<Plans, 'unanswered'>,
): Promise<boolean> {
  if (!isBreakable(asked, now)) return false
  const left = await store.unanswered(asked.line, asked.place.channel)
  // where that cannot be read now it may be later, and a no must be possible until then
  return !left.ok || left.value !== null
}
