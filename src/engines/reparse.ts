import { z } from 'zod'

import type { Engine } from '../domain/engine.ts'
import { tell } from './tell.ts'

/**
 * SGLang from about 0.4.6 on takes a text apart with any of its reasoning parsers. Asked so, a parser knows nothing of the
 * template, which may have opened the thinking already: then the text must begin with the mark.
 */
export const separateReasoning: NonNullable<Engine['parse']> = (api, { text, parser }, signal) =>
  tell({ api, path: '/separate_reasoning', body: { text, reasoning_parser: parser }, form: separated }, signal)

const channel = z.string().nullable()
const separated = z
  .object({ reasoning_text: channel, text: channel })
  .transform(({ reasoning_text, text }) => ({ reasoning: reasoning_text ?? '', content: text ?? '' }))
