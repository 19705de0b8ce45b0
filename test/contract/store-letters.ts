import { expect } from 'vitest'
import type { Letter } from '../../src/domain/letter.ts'
import type { Page } from '../../src/domain/page.ts'
import type { Store } from '../../src/domain/store.ts'
import { OTHER, THREAD } from './store-samples.ts'
import { failureKind, value } from './value.ts'

export function letter(given: Partial<Letter> = {}): Letter {
  const fresh = { id: 'l1', place: THREAD, ts: null, content: '{"text":"hello"}', title: 'hello', at: 5, sentAt: null }
  return { ...fresh, ...given }
}

function page(given: Partial<Page> = {}): Page {
  const table = { title: 'GPUs', columns: ['host', 'card'], rows: [['gpu1', '0'], []] }
  return { id: 'p1', report: { title: 'GPUs of 100 hosts', tables: [table] }, at: 5, expires: 50, ...given }
}

/** What every store must do for what waits for a chat, and for small things. */
export const LETTERS: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  'gives letters back as they were, in the order in which they were added, until they are dropped': async (store) => {
    expect(value(await store.letters())).toEqual([])
    // neither ids nor times have that order
    const given = [letter({ id: 'z', at: 9 }), letter({ id: 'a', at: 7, ts: '1.1' }), letter({ id: 'm', place: OTHER })]
    for (const one of given) value(await store.addLetter(one))
    expect(value(await store.letters())).toEqual(given)
    value(await store.dropLetter('a'))
    value(await store.dropLetter('never there'))
    expect(value(await store.letters())).toEqual([given[0], given[2]])
  },

  'marks a letter when its sending begins, and takes the mark back': async (store) => {
    await store.addLetter(letter())
    await store.addLetter(letter({ id: 'l2', sentAt: 3 }))
    value(await store.markLetter('l1', 8))
    value(await store.markLetter('never there', 8))
    expect(value(await store.letters())).toEqual([letter({ sentAt: 8 }), letter({ id: 'l2', sentAt: 3 })])
    value(await store.markLetter('l1', null))
    value(await store.markLetter('l2', 9))
    expect(value(await store.letters())).toEqual([letter(), letter({ id: 'l2', sentAt: 9 })])
  },

  'refuses a second letter of the same id, and keeps the first': async (store) => {
    value(await store.addLetter(letter()))
    expect(failureKind(await store.addLetter(letter({ title: 'other' })))).toBe('store')
    expect(value(await store.letters())).toEqual([letter()])
  },

  'keeps a page until it has expired': async (store) => {
    value(await store.addPage(page()))
    expect(value(await store.page('p1'))).toEqual(page())
    expect(value(await store.page('other'))).toBeNull()
  },

  'drops letters and pages by when they were made, and counts the letters': async (store) => {
    for (const at of [10, 20, 30]) {
      value(await store.addLetter(letter({ id: `l${at}`, at })))
      value(await store.addPage(page({ id: `p${at}`, at, expires: at + 100 })))
    }
    const before = { attempts: 0, buttons: 0, keys: 0, asks: 0 }
    expect(value(await store.prune({ ...before, letters: 30, prompts: 20 }))).toEqual({ asks: 0, letters: 2 })
    expect(value(await store.letters()).map(({ id }) => id)).toEqual(['l30'])
    const pages = await Promise.all(['p10', 'p20', 'p30'].map((id) => store.page(id)))
    expect(pages.map((one) => value(one)?.id)).toEqual([undefined, 'p20', 'p30'])
  },

  'keeps a note by its key: a later value wins, null forgets it': async (store) => {
    expect(value(await store.noted('k'))).toBeNull()
    value(await store.note('k', 'first'))
    value(await store.note('k', 'second'))
    value(await store.note('other', 'x'))
    expect(value(await store.noted('k'))).toBe('second')
    value(await store.note('k', null))
    expect(value(await store.noted('k'))).toBeNull()
    expect(value(await store.noted('other'))).toBe('x')
  },
}

/** One of each, with a text in every field that takes one. */
function all(text: string) {
  const place = { channel: text, thread: text }
  return {
    letter: letter({ id: text, place, ts: text, content: text, title: text, sentAt: 8 }),
    page: page({ id: text, report: { title: text, tables: [{ title: text, columns: [text], rows: [[text]] }] } }),
  }
}

export async function writeLetters(store: Store, text: string): Promise<void> {
  const given = all(text)
  value(await store.addLetter({ ...given.letter, sentAt: null }))
  value(await store.markLetter(text, given.letter.sentAt))
  value(await store.addPage(given.page))
  value(await store.note(text, text))
}

export async function readLetters(store: Store, text: string): Promise<void> {
  const given = all(text)
  expect(value(await store.letters())).toEqual([given.letter])
  expect(value(await store.page(text))).toEqual(given.page)
  expect(value(await store.noted(text))).toBe(text)
}
