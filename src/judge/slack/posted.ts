import type { Finding } from '../../domain/finding.ts'
import { quoted } from '../../domain/remote/text.ts'
import { count } from '../../domain/report.ts'

/** Text of others on its way into a message of ours. */
export interface Posted {
  /** as it was */
  readonly text: string
  /** as Slack gets it */
  readonly written: string
  /** the longest text that one section takes, in characters */
  readonly section: number
}

/** What in a text would act in Slack and so may not stand there as it is; null where nothing would. */
export function actingIn(text: string): string | null {
  return (
    /<[@#!][^<>]*>|<[a-z]+:[^<>]*>/i.exec(text)?.[0] ?? /`{3}/.exec(text)?.[0] ?? /&[lg]t;|[<>]/.exec(text)?.[0] ?? null
  )
}

/** What escaping did to a text. */
export function readPosted({ text, written, section }: Posted): Finding {
  const acting = actingIn(text)
  const long = written.length > section
  const because = [
    `text: ${text === '' ? 'empty' : quoted(text)}`,
    ...(acting === null ? [] : [`it holds ${acting}`]),
    ...(long ? [`${count(written.length)} characters when escaped, ${count(section)} a section`] : []),
  ]
  const read = (code: Finding['code'], cause: string): Finding => {
    return { code, verdict: 'ok-normalized', cause, because, remedy: [NOTHING], confidence: 'certain' }
  }
  if (text.trim() === '')
    return read('slack.empty', 'The text is blank, which Slack refuses; words stand in its place.')
  if (acting?.startsWith('```') === true)
    return read('slack.code-fence', 'Three backticks would end the code block early; a space keeps them apart.')
  if (acting !== null || text.includes('&'))
    return read('slack.escape-out', 'Slack would read &, < and > as markup; they are written as entities.')
  if (long) return read('slack.long', 'The text is longer than one section; its beginning and end are shown.')
  if (written !== text) return read('slack.unicode', 'Characters that act instead of being seen are shown as numbers.')
  return {
    code: 'ok.literal-data',
    verdict: 'healthy',
    cause: 'The text holds nothing that Slack would read as markup.',
    because,
    remedy: [],
    confidence: 'certain',
  }
}

const NOTHING = 'Nothing needs to be done: it is posted as text, and seen as it was written.'
