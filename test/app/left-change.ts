import type { Operation } from '../../src/domain/operation.ts'

export const ANNA = { team: 'T0', id: 'U0ANNA', name: 'Anna' }

/** A change as a crash leaves it. */
export function operation(given: Partial<Operation> = {}): Operation {
  return {
    id: '1'.padStart(32, '0'),
    command: 'sglang restart',
    target: 'qwen',
    host: 'gpu1',
    unit: 'qwen',
    person: ANNA,
    approver: null,
    place: { channel: 'C0GPU', thread: '1.1' },
    message: '1.1',
    capped: true,
    forced: false,
    reason: null,
    at: 5,
    state: 'issuing',
    ...given,
  }
}
