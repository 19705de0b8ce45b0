import { fieldsIn, numberAt, structureAt, textAt } from '../json.ts'
import { writable } from '../places.ts'
import { refuse } from '../validate.ts'
import { fileOnWire } from '../wire.ts'
import type { StoredFile } from '../world.ts'
import type { Method } from './method.ts'

/** Uploads in three steps. Sharing happens after the answer, as in Slack: later messages may appear first. */
export const files: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': {
    scope: 'files:write',
    run(args, { world, url }) {
      if (world.refused.has('files')) return refuse('file_uploads_disabled')
      const name = textAt(args, 'filename')
      const length = numberAt(args, 'length')
      if (name === null || length === null || length <= 0) return refuse('invalid_arguments')
      const file: StoredFile = { id: world.id('F'), name, title: name, bytes: Buffer.alloc(0) }
      world.files.set(file.id, file)
      return { ok: true, upload_url: `${url}/upload/${file.id}`, file_id: file.id }
    },
  },
  'files.completeUploadExternal': {
    scope: 'files:write',
    run(args, { world }) {
      const given = fieldsIn(structureAt(args, 'files'))
      const done = given.flatMap((entry) => {
        const file = world.files.get(textAt(entry, 'id') ?? '')
        return file === undefined ? [] : [{ ...file, title: textAt(entry, 'title') ?? file.name }]
      })
      if (done.length === 0 || done.length < given.length) return refuse('file_not_found')
      if (done.some((file) => file.bytes.length === 0)) return refuse('file_upload_incomplete')
      for (const file of done) world.files.set(file.id, file)
      const channel = textAt(args, 'channel_id')
      if (channel === null) return { ok: true, files: done.map((file) => fileOnWire(file, world)) }
      const place = writable(channel, world)
      if ('error' in place) return place.error === 'not_in_channel' ? refuse('channel_not_found') : place
      const text = textAt(args, 'initial_comment') ?? ''
      setImmediate(() =>
        world.post({ channel, user: world.bot.id, text, thread: textAt(args, 'thread_ts'), files: done }),
      )
      return { ok: true, files: done.map((file) => fileOnWire(file, world)) }
    },
  },
  'files.info': {
    scope: 'files:read',
    run(args, { world, url }) {
      const file = world.files.get(textAt(args, 'file') ?? '')
      if (file === undefined) return refuse('file_not_found')
      const more = {
        mimetype: file.type ?? 'text/plain',
        mode: 'hosted',
        url_private_download: file.address ?? `${url}/private/${file.id}`,
      }
      return { ok: true, file: { ...fileOnWire(file, world), ...more } }
    },
  },
}
