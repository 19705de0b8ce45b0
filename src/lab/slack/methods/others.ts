import type { Fields } from '../json.ts'
import { fieldsIn, isFields, structureAt, textAt } from '../json.ts'
import { LIMITS, PACE } from '../limits.ts'
import { refuse } from '../validate.ts'
import type { Method } from './method.ts'

/** Sockets, reactions and views. */
export const others: Readonly<Record<string, Method>> = {
  'apps.connections.open': {
    scope: null,
    run(_, desk) {
      const url = desk.ticket()
      return url === null ? refuse('too_many_websockets', { limit: PACE.connections }) : { ok: true, url }
    },
  },
  'reactions.add': {
    scope: 'reactions:write',
    run(args, { world }) {
      const message = world.find(textAt(args, 'channel') ?? '', textAt(args, 'timestamp') ?? '')
      const name = textAt(args, 'name')
      if (message === null) return refuse('message_not_found')
      if (world.channel(message.channel)?.archived === true) return refuse('is_archived')
      if (name === null) return refuse('invalid_name')
      if (message.reactions.includes(name)) return refuse('already_reacted')
      world.change(message, { reactions: [...message.reactions, name] })
      return { ok: true }
    },
  },
  'views.open': {
    scope: null,
    run(args, { world }) {
      const view = readView(args)
      if (view === null) return refuse('invalid_arguments')
      const id = world.id('V')
      world.views.set(id, view)
      return { ok: true, view: { ...view, id } }
    },
  },
  'views.update': {
    scope: null,
    run(args, { world }) {
      const view = readView(args)
      if (view === null) return refuse('invalid_arguments')
      const id = textAt(args, 'view_id') ?? ''
      if (!world.views.has(id)) return refuse('not_found')
      world.views.set(id, view)
      return { ok: true, view: { ...view, id } }
    },
  },
}

function readView(args: Fields): Fields | null {
  const view = structureAt(args, 'view')
  if (!isFields(view) || !['modal', 'home'].includes(String(view['type']))) return null
  const title = isFields(view['title']) ? (textAt(view['title'], 'text') ?? '') : ''
  const tooLong = [...title].length > LIMITS.view.title || fieldsIn(view['blocks']).length > LIMITS.viewBlocks
  return tooLong ? null : view
}
