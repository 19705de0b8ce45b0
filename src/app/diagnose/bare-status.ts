import { readJson } from '../../domain/json.ts'
import { recordOf, textOf } from './record.ts'

/** The HTTP status that a body without its head most likely came with: errors name it, or are known by their words. */
export function bareStatus(body: string): number {
  const json = readJson(body)
  if (!json.ok) return inPage(body)
  const fields = recordOf(json.value) ?? {}
  if (fields['choices'] !== undefined) return 200
  const inner = recordOf(fields['error']) ?? fields
  const named = [inner['code'], inner['status'], fields['code'], fields['status']].map(Number).find(isStatus)
  if (named !== undefined) return named
  if (NOT_READY.test(textOf(fields['status']) ?? '')) return 503
  if (fields['detail'] !== undefined) return fields['detail'] === 'Not Found' ? 404 : 422
  return fields['error'] === 'Unauthorized' ? 401 : 200
}

/** `{"status": "loading model"}`: what `/health` of older llama.cpp says */
const NOT_READY = /^(?:loading model|no slot available)$/

function isStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 400 && code < 600
}

/** `<title>502 Bad Gateway</title>`, `504 Gateway Time-out` */
function inPage(body: string): number {
  const [, code = ''] = /^\s*(?:<[^>]{0,200}>\s*){0,20}([45]\d\d)\b/.exec(body.slice(0, LOOKED_AT)) ?? []
  if (code !== '') return Number(code)
  return /^\s*Internal Server Error\s*$/i.test(body.slice(0, LOOKED_AT)) ? 500 : 200
}

const LOOKED_AT = 4000
