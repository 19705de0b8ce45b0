import { createHash, createHmac, randomBytes } from 'node:crypto'
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** What stands behind the console: the path of its configuration; null: the demo boxes. */
export type Behind = string | null

/** A console, as its note tells of it. */
interface Noted {
  /** such as `http://127.0.0.1:7331` */
  readonly url: string
  /** known to that console, and to whoever may read its note */
  readonly secret: string
}

/** The address of a console of this person that runs with the same behind it; else null. */
export async function runningConsole(behind: Behind): Promise<string | null> {
  const noted = notedIn(noteFor(behind))
  return noted !== null && (await isThatConsole(noted)) ? noted.url : null
}

/** Notes for later starts where a console runs. Gives what takes the note away; without a note it runs as well. */
export function noteConsole(behind: Behind, { url, secret }: Noted): () => void {
  const note = noteFor(behind)
  try {
    // never through a link that somebody else left there
    rmSync(note, { force: true })
    writeFileSync(note, `${url} ${secret}`, { flag: 'wx', mode: 0o600 })
  } catch {
    return () => {}
  }
  return () => {
    if (notedIn(note)?.secret === secret) rmSync(note, { force: true })
  }
}

/** What only one console has; 32 hex digits. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('hex')
}

/** What a console says to whoever asks it to prove that it is the one of its note. */
export function proofOf(secret: string, asked: string): string {
  return createHmac('sha256', secret).update(asked).digest('hex')
}

/** Whether what answers there looks like the page of a console, which anybody can copy. */
export async function looksLikeConsole(url: string): Promise<boolean> {
  return (await answerOf(url))?.includes(TITLE) === true
}

/** Another program may have got the port since. What it overheard does not help it: something else is asked each time. */
async function isThatConsole({ url, secret }: Noted): Promise<boolean> {
  const asked = newSecret()
  const answer = await answerOf(`${url}/proof.json?asked=${asked}`)
  return answer === JSON.stringify({ proof: proofOf(secret, asked) })
}

/** How long a console on this machine may take to answer whole, in ms. */
const ANSWER_MS = 2_000
/** No answer of a console is longer; in bytes. */
const ANSWER_BYTES = 64 * 1024

/** Null where nothing good comes, or it does not end in time or within its length: then it is not read on. */
async function answerOf(url: string): Promise<string | null> {
  try {
    const { ok, body } = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of body ?? []) {
      size += chunk.length
      if (!ok || size > ANSWER_BYTES) return null
      chunks.push(chunk)
    }
    return ok ? Buffer.concat(chunks).toString('utf8') : null
  } catch {
    return null
  }
}

/** Of src/lab/slack/page/index.html. */
const TITLE = '<title>Pilotflame console</title>'
const SECRET_BYTES = 16
const NOTE = /^(http:\/\/127\.0\.0\.1:\d{1,5}) ([0-9a-f]{32})$/
const LONGEST = 60

/** One for each person, and for what stands behind the console. */
function noteFor(behind: Behind): string {
  const key = createHash('sha256')
    .update(behind ?? 'demo')
    .digest('hex')
    .slice(0, 12)
  return join(tmpdir(), `pilotflame-console-${userInfo().uid}-${key}`)
}

/** A note of somebody else, or of anything but an address on this machine and a secret, counts as none. */
function notedIn(note: string): Noted | null {
  try {
    const { size, uid } = lstatSync(note)
    if (size > LONGEST || uid !== ownerOfNotes()) return null
    const [, url, secret] = NOTE.exec(readFileSync(note, 'utf8')) ?? []
    return url === undefined || secret === undefined ? null : { url, secret }
  } catch {
    return null
  }
}

/** Windows tells of no owner: 0 of files, -1 of people. */
function ownerOfNotes(): number {
  return Math.max(0, userInfo().uid)
}
