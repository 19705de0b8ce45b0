import { engineContract } from '../contract/engine.ts'
import { dialect } from './openai-dialect.ts'

engineContract(dialect)
