/**
 * Text from models, logs, hosts and people, made safe to print. Terminal sequences go; every other character that acts
 * instead of being seen (controls, direction marks, zero-width, tags, lone surrogates) is shown as `\u{…}`.
 * Newline and tab stay, CR LF becomes LF. Idempotent, linear, never throws.
 */
export function sanitise(text: string): string {
  return text.replace(ACTING, (found, sequence: string | undefined) => {
    if (sequence !== undefined) return ''
    return found === '\r\n' ? '\n' : visible(found)
  })
}

/** The same for JSON text: what would act becomes a JSON escape, so the value that a program reads does not change. */
export function sanitiseJson(json: string): string {
  return json.replace(INVISIBLE, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  )
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

// Escape sequences by ECMA-48: control strings with their terminator (OSC, DCS, SOS, PM, APC), CSI, then short escapes.
// A control string without an end is none: it would hide the rest of the text. No body may hold another opener, which
// keeps the search linear.
const STRING = String.raw`(?:\x1b[PX\]\^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`
const CSI = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -\/]*[@-~]`
const SHORT = String.raw`\x1b[ -\/]+[0-~]|\x1b[0-OQ-WYZ\\\`-~]`

// Kept: newline, tab, the two selectors that choose between text and emoji, and the joiner inside an emoji.
const JOINED = String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})`
const UNSEEN = String.raw`(?!${JOINED})[[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]--[\n\t\uFE0E\uFE0F]]`

/** What acts instead of being seen: a terminal sequence (the group), a line end of Windows, one unseen character. */
export const ACTING = new RegExp(`(${STRING}|${CSI}|${SHORT})|\\r\\n|${UNSEEN}`, 'gv')
const INVISIBLE = new RegExp(UNSEEN, 'gv')
