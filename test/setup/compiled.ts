import { join } from 'node:path'

/** Where the programs that tests start keep what Node compiled of them, so that the next one need not: for NODE_COMPILE_CACHE. */
export const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/pilotflame')
