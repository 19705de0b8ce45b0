import bolt from '@slack/bolt/package.json' with { type: 'json' }
import type { Tally } from '../test/surfaces/slack/refreshes.ts'
import { singleClient, throughRefreshes, twoSockets } from '../test/surfaces/slack/refreshes.ts'
import { print } from './measure.ts'

/** 200 commands at ten a second while Slack refreshes connections, the usual times of both parties; in the same run. */

const plan = { commands: 200, everyMs: 100, refreshEvery: 12 }
// apart: not a minute, or the run would have to wait for it
const [ours, single] = await Promise.all([twoSockets({ apartMs: 1_000 }), singleClient()])
const [our, theirs] = await Promise.all([throughRefreshes(ours, plan), throughRefreshes(single, plan)])
await Promise.all([ours.stop(), single.stop()])
print('commands run once, two sockets', [new Set(ours.ran).size - our.lost - our.doubled], ['>=', 200, 'count'])
console.log(`   two sockets:          ${words(our)}`)
console.log(`   Bolt’s single client: ${words(theirs)}`)
console.log(`   node ${process.version}, bolt ${bolt.version}`)
process.exit(0)

function words({ given, refreshes, lost, doubled }: Tally): string {
  return `${given} commands through ${refreshes} refreshes and drops: ${lost} lost, ${doubled} doubled`
}
