import type { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Failure } from '../../domain/failure.ts'
import type { Outcome } from '../../domain/outcome.ts'
import { failed, ok } from '../../domain/outcome.ts'
import type { ShownFile } from '../../domain/shown.ts'
import { LARGEST_FILE, MOST_FILES } from '../../domain/shown.ts'
import { addScopes, slackFailure } from './faults.ts'
import { ownAddress } from './own-address.ts'
import { refusalOf } from './refusal.ts'

export interface FileNeeds {
  readonly lookups: WebClient
  readonly botToken: string
  /** whether the settings want uploaded files to be read */
  readonly readFiles: boolean
}

/** Files of a message, as Slack names them there. */
export const Uploads = z
  .array(z.object({ id: z.string(), name: z.string().nullish() }))
  .nullish()
  .transform((files) => files ?? [])

export type Upload = z.infer<typeof Uploads>[number]

/** The files of one message; none is looked at before somebody reads it. */
export function uploaded(files: readonly Upload[], needs: FileNeeds): readonly ShownFile[] {
  return files.slice(0, MOST_FILES).map(({ id, name }) => {
    const thing = `file ${name ?? id}`
    return { name: name ?? id, read: (signal) => readUpload(id, thing, needs, signal) }
  })
}

const Info = z.object({
  file: z.object({
    size: z.number().nullish(),
    mimetype: z.string().nullish(),
    mode: z.string().nullish(),
    url_private_download: z.string().nullish(),
  }),
})
type About = z.infer<typeof Info>['file']

async function readUpload(id: string, thing: string, needs: FileNeeds, signal: AbortSignal): Promise<Outcome<string>> {
  if (!needs.readFiles) return failed({ kind: 'config', thing, observed: NOT_READ, next: SET })
  try {
    const { file } = Info.parse(await needs.lookups.files.info({ file: id }))
    const wrong = unfit(file, thing)
    if (wrong !== null) return failed(wrong)
    const url = ownAddress(file.url_private_download ?? '', needs.lookups.slackApiUrl)
    if (url === null)
      return failed({ kind: 'url', thing, observed: 'Slack gave no address of its own for it', next: PASTE })
    return await download(url, thing, needs.botToken, signal)
  } catch (error) {
    const failure = slackFailure(error, 'bot', needs.lookups.slackApiUrl)
    const gone = GONE.includes(refusalOf(error).code)
    return failed({ ...failure, thing, ...(gone ? { observed: 'it is not there any more', next: PASTE } : {}) })
  }
}

const NOT_READ = 'uploaded files are not read here'
const PASTE = 'paste its text instead'
const SET = `paste its text; or set slack.read_files: true in pilotflame.yml and restart, then ${addScopes('files:read')}`
const GONE: readonly string[] = ['file_not_found', 'file_deleted']

/** Why it is not even fetched; null where it may be text. */
function unfit({ size, mimetype, mode }: About, thing: string): Failure | null {
  if (mode === 'external') return { kind: 'shape', thing, observed: 'it is kept outside Slack', next: PASTE }
  if (mode === 'hidden_by_limit' || mode === 'tombstone')
    return { kind: 'not-there', thing, observed: 'Slack does not hand it out any more', next: PASTE }
  if (size != null && size > LARGEST_FILE) return tooLarge(thing, size)
  const [sort = ''] = (mimetype ?? '').split('/')
  const isBinary = ['image', 'audio', 'video', 'font'].includes(sort) || PACKED.test(mimetype ?? '')
  return isBinary ? noText(thing, mimetype ?? sort) : null
}

const PACKED = /^application\/(?:pdf|zip|gzip|x-gzip|x-tar|x-7z-compressed|zstd|x-xz|x-bzip2|vnd\.)/

function noText(thing: string, what: string): Failure {
  return {
    kind: 'shape',
    thing,
    observed: `it is no text (${what})`,
    next: 'paste the text itself; a picture cannot be read',
  }
}

function tooLarge(thing: string, size: number): Failure {
  const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`
  return {
    kind: 'too-large',
    thing,
    observed: `it has more than ${mb(Math.min(size, LARGEST_FILE))}${size > LARGEST_FILE + 1 ? ` (${mb(size)})` : ''}`,
    next: 'upload its end: tail -n 5000 FILE > end.log; in a terminal pilotflame diagnose < FILE reads any size',
  }
}

/** in ms */
const LIMIT_MS = 15_000

async function download(url: URL, thing: string, token: string, signal: AbortSignal): Promise<Outcome<string>> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
  })
  // without the scope Slack shows its login page
  if (answer.status !== 200 || isPage(answer, url)) {
    await answer.body?.cancel()
    return failed({
      kind: 'http-status',
      thing,
      observed: `Slack did not hand it out (HTTP ${answer.status})`,
      next: addScopes('files:read'),
    })
  }
  const bytes = await bytesOf(answer)
  return bytes === null ? failed(tooLarge(thing, LARGEST_FILE + 1)) : textOf(bytes, thing)
}

function isPage({ headers }: Response, { pathname }: URL): boolean {
  return (headers.get('content-type') ?? '').startsWith('text/html') && !/\.html?$/i.test(pathname)
}

async function bytesOf({ body }: Response): Promise<Buffer | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > LARGEST_FILE) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** PowerShell writes UTF-16. */
function textOf(bytes: Buffer, thing: string): Outcome<string> {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  const read = new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)
  if (read.includes('\u0000')) return failed(noText(thing, 'it holds zero bytes'))
  return read.trim() === '' ? failed({ kind: 'empty-body', thing, observed: 'it is empty', next: PASTE }) : ok(read)
}
