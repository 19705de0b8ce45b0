import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** What stands behind the console: the path of its configuration; null: the demo boxes. */
export type Behind = string | null

/** The address of a console of this person that runs with the same behind it, such as `http://127.0.0.1:7331`; else null. */
export async function runningConsole(behind: Behind): Promise<string | null> {
  const url = notedIn(noteFor(behind))
  return url !== null && (await isConsole(url)) ? url : null
}

/** Notes for later starts where a console runs. Gives what takes the note away; without a note it runs as well. */
export function noteConsole(behind: Behind, url: string): () => void {
  const note = noteFor(behind)
  try {
    // never through a link that somebody else left there
    rmSync(note, { force: true })
    writeFileSync(note, url, { flag: 'wx', mode: 0o600 })
  } catch {
    return () => {}
  }
  return () => {
    if (notedIn(note) === url) rmSync(note, { force: true })
  }
}

/** Whether the page of a console answers there. */
export async function isConsole(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) })
    return answer.ok && (await answer.text()).includes(TITLE)
  } catch {
    return false
  }
}

/** How long a console on this machine may take to answer, in ms. */
const ANSWER_MS = 2_000
/** Of src/lab/slack/page/index.html. */
const TITLE = '<title>Pilotflame console</title>'
const ADDRESS = /^http:\/\/127\.0\.0\.1:\d{1,5}$/
const LONGEST = 30

/** One for each person, and for what stands behind the console. */
function noteFor(behind: Behind): string {
  const key = createHash('sha256')
    .update(behind ?? 'demo')
    .digest('hex')
    .slice(0, 12)
  return join(tmpdir(), `pilotflame-console-${userInfo().uid}-${key}`)
}

/** A note of somebody else, or of anything but an address on this machine, counts as none. */
function notedIn(note: string): string | null {
  try {
    const { size, uid } = lstatSync(note)
    if (size > LONGEST || uid !== ownerOfNotes()) return null
    const url = readFileSync(note, 'utf8')
    return ADDRESS.test(url) ? url : null
  } catch {
    return null
  }
}

/** Windows tells of no owner: 0 of files, -1 of people. */
function ownerOfNotes(): number {
  return Math.max(0, userInfo().uid)
}
