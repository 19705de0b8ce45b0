import type { Failure } from '../../src/domain/failure.ts'

/** A bad input, and the failure that answers it: thing, observation, next step. */
export interface BadInput {
  readonly name: string
  run(): Promise<Pick<Failure, 'thing' | 'observed' | 'next'>>
}
