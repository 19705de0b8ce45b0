import type { OpenPlan } from '../../domain/plan.ts'

/** How long a second person may approve, in ms; after so long a silence the glass may be broken. */
export const APPROVAL_MS = 5 * 60_000
/** How long after the approval was asked for the glass may be broken, in ms. */
const GLASS_MS = 30 * 60_000

type Asked = Pick<OpenPlan, 'approval' | 'at'>

/** Until when the silence about it breaks the glass, epoch ms. */
export function glassUntil({ at }: Pick<Asked, 'at'>): number {
  return at + GLASS_MS
}

/** Whether the glass may be broken over it, now or soon. As long as that is so, a no must be possible. */
export function isBreakable(asked: Asked, now: number): boolean {
  return asked.approval === 'second' && now <= glassUntil(asked)
}
