import type { Letter, Letters } from '../domain/letter.ts'
import type { Page, Pages } from '../domain/page.ts'
import type { Table } from '../domain/report.ts'
import type { Notes } from '../domain/store.ts'
import { isNumber, isText, listOf, maybe, orNull, readJson, shape } from './store-guards.ts'
import { isPlace } from './store-rows.ts'
import type { Reader, Statements } from './store-statements.ts'
import { json, nothing } from './store-statements.ts'

/** More is never kept for a chat that cannot be reached. */
const MOST_LETTERS = 10_000

const isLetter = shape<Letter>({
  id: isText,
  ask: maybe(isText),
  place: isPlace,
  ts: orNull(isText),
  content: isText,
  title: isText,
  at: isNumber,
  sentAt: orNull(isNumber),
})

/** What must be seen in a chat. */
export function letters(sql: Statements): Letters {
  const letter: Reader<Letter> = {
    what: 'a letter',
    read(row) {
      const body = readJson(row['body'], isLetter)
      return body === undefined ? undefined : { ...body, sentAt: isNumber(row['sent']) ? row['sent'] : null }
    },
  }
  const add = `INSERT INTO letters (id, at, sent, ask, body)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?) ORDER BY key`
  return {
    async addLetter(...given) {
      const askOf = ({ ask }: Letter) => (ask === undefined ? null : json(ask))
      const rows = given.map((one) => [json(one.id), one.at, one.sentAt, askOf(one), json(one)])
      return nothing(await sql.run(add, json(rows)))
    },
    markLetter: async (id, sentAt) =>
      nothing(await sql.run('UPDATE letters SET sent = ? WHERE id = ?', sentAt, json(id))),
    dropLetter: async (id) => nothing(await sql.run('DELETE FROM letters WHERE id = ?', json(id))),
    letters: () => sql.all(letter, 'SELECT sent, body FROM letters ORDER BY number LIMIT ?', MOST_LETTERS),
  }
}

const isTexts = listOf(isText)
const isPage = shape<Page>({
  id: isText,
  report: shape<Page['report']>({
    title: isText,
    tables: listOf(shape<Table>({ title: isText, columns: isTexts, rows: listOf(isTexts) })),
  }),
  at: isNumber,
  expires: isNumber,
})

/** What did not fit into an answer. */
export function pages(sql: Statements): Pages {
  const page: Reader<Page> = { what: 'a page', read: (row) => readJson(row['body'], isPage) }
  const add = 'INSERT INTO pages (id, at, expires, body) VALUES (?, ?, ?, ?)'
  return {
    addPage: async (given) => nothing(await sql.run(add, json(given.id), given.at, given.expires, json(given))),
    page: (id) => sql.one(page, 'SELECT body FROM pages WHERE id = ?', json(id)),
  }
}

/** Small things by their key. */
export function notes(sql: Statements): Notes {
  const value: Reader<string> = { what: 'a note', read: (row) => readJson(row['body'], isText) }
  const set = `INSERT INTO notes (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body`
  return {
    note: async (key, text) =>
      nothing(
        text === null
          ? await sql.run('DELETE FROM notes WHERE id = ?', json(key))
          : await sql.run(set, json(key), json(text)),
      ),
    noted: (key) => sql.one(value, 'SELECT body FROM notes WHERE id = ?', json(key)),
  }
}
