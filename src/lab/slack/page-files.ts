import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { World } from './world.ts'

const PAGE = new URL('./page/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** A file of the page. False where there is none of that name. */
export async function pageFile(path: string, response: ServerResponse): Promise<boolean> {
  const name = /^\/([a-z-]+\.(?:html|css|js|svg))$/.exec(path)?.[1]
  if (name === undefined) return false
  try {
    const bytes = await readFile(new URL(name, PAGE))
    response.writeHead(200, { 'content-type': typeOf(name) }).end(bytes)
    return true
  } catch {
    return false
  }
}

function typeOf(name: string): string {
  return TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain; charset=utf-8'
}

/** An uploaded file is shown as text or picture, whatever it calls itself: never as a page. */
export function uploadedFile(path: string, response: ServerResponse, world: World): boolean {
  const found = world.files.get(path.split('/')[2] ?? '')
  if (found === undefined) return false
  response
    .writeHead(200, { 'content-type': found.name.endsWith('.png') ? 'image/png' : 'text/plain; charset=utf-8' })
    .end(found.bytes)
  return true
}
