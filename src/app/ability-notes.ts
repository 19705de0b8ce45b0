import { sentence } from '../domain/failure.ts'
import type { Log } from '../domain/ports.ts'
import type { Notes } from '../domain/store.ts'
import type { AbilityNotes } from '../surfaces/slack/index.ts'

/** What Slack workspaces were seen to accept, in the store. Without it the bot learns anew. */
export function abilityNotes(store: Notes, log: Log): AbilityNotes {
  return {
    async read(team) {
      const found = await store.noted(keyOf(team))
      if (found.ok) return found.value
      log.warn('what the workspace accepts is not known', { said: sentence(found.failure) })
      return null
    },
    async write(team, value) {
      const kept = await store.note(keyOf(team), value)
      if (!kept.ok) log.warn('what the workspace accepts is not kept', { said: sentence(kept.failure) })
    },
  }
}

function keyOf(team: string): string {
  return `slack:${team}`
}
