import { connected, execute, fleet, pool } from './ours.ts'
import { memory } from './program.ts'

/** Prints the memory of a process, in KiB, once it holds so many connections: `node --expose-gc pooled.ts COUNT HOST ADDRESSES`. */
const [, , count = '0', host = '', addresses = ''] = process.argv
const hosts = fleet(JSON.parse(host), addresses.split(','), Number(count))
const names = hosts.map(({ name }) => name)

/** Few at a time, as the limit of a login runs for all who wait for the two cores. */
const AT_ONCE = 50

const ssh = pool(hosts)
for (let first = 0; first < names.length; first += AT_ONCE)
  await Promise.all(
    names.slice(first, first + AT_ONCE).map(async (name) => execute(await connected(ssh, name), 'hostname')),
  )
globalThis.gc?.()
console.log(memory('self', 'Rss'))
process.exit()
