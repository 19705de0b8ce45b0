import { blocks } from './blocks.ts'
import { chat } from './chat.ts'
import { conversations } from './conversations.ts'
import { files } from './files.ts'
import type { Method } from './method.ts'
import { others } from './others.ts'

/** The Web API methods that the stand-in knows. A new method is one entry in a file beside this one. */
export const METHODS: Readonly<Record<string, Method>> = { ...blocks, ...chat, ...conversations, ...files, ...others }
