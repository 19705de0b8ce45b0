import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Outcome } from '../domain/outcome.ts'
import { failed, ok } from '../domain/outcome.ts'
import { failure, storeFailure } from './store-failure.ts'

type Row = Record<string, SQLOutputValue>

/** How rows of one sort are read: undefined where a row is damaged. */
export interface Reader<T> {
  /** in the operator's words, for the failure: `an attempt` */
  readonly what: string
  read(row: Row): T | undefined
}

/** Runs SQL, each statement prepared once. Whatever goes wrong is a failure of kind `store`; nothing throws. */
export interface Statements {
  /** how many rows it changed */
  run(sql: string, ...values: readonly SQLInputValue[]): Promise<Outcome<number>>
  /**
   * The same without waiting for the disk: it survives a crash of the process, not one of the machine. For what somebody
   * waits for at that very moment, and what a power cut may forget.
   */
  soon(sql: string, ...values: readonly SQLInputValue[]): Promise<Outcome<number>>
  /** the first row, null where there is none */
  one<T>(reader: Reader<T>, sql: string, ...values: readonly SQLInputValue[]): Promise<Outcome<T | null>>
  /** Where some are damaged it fails, with the others as its `partial`. */
  all<T>(reader: Reader<T>, sql: string, ...values: readonly SQLInputValue[]): Promise<Outcome<readonly T[]>>
}

export function statementsOn(db: DatabaseSync, path: string): Statements {
  const prepared = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const made = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, made)
    return made
  }
  const attempt = async <T>(act: () => Outcome<T>): Promise<Outcome<T>> => {
    try {
      return act()
    } catch (error) {
      return failed(storeFailure(path, error))
    }
  }
  const readAll = <T>({ what, read }: Reader<T>, rows: readonly Row[]): Outcome<readonly T[]> => {
    const values = rows.map(read).filter((value) => value !== undefined)
    if (values.length === rows.length) return ok(values)
    const observed = `the record of ${what} cannot be read`
    return failed(failure(path, observed, 'ask again; other records are not affected'), values)
  }
  const write = (sql: string, values: readonly SQLInputValue[]): Outcome<number> =>
    ok(Number(statement(sql).run(...values).changes))
  return {
    run: (sql, ...values) => attempt(() => write(sql, values)),
    soon: (sql, ...values) =>
      attempt(() => {
        db.exec('PRAGMA synchronous = NORMAL')
        try {
          return write(sql, values)
        } finally {
          db.exec('PRAGMA synchronous = FULL')
        }
      }),
    one: (reader, sql, ...values) =>
      attempt(() => {
        const row = statement(sql).get(...values)
        const read = readAll(reader, row === undefined ? [] : [row])
        return read.ok ? ok(read.value[0] ?? null) : failed(read.failure)
      }),
    all: (reader, sql, ...values) => attempt(() => readAll(reader, statement(sql).all(...values))),
  }
}

/** Texts and keys are kept as JSON: NUL and lone surrogates, which SQL text loses, survive. */
export const json = (value: unknown): string => JSON.stringify(value)

/** What was changed is of no interest, only whether it went. */
export function nothing(outcome: Outcome<unknown>): Outcome<null> {
  return outcome.ok ? ok(null) : failed(outcome.failure)
}
