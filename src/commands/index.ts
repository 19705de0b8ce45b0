import type { Command } from '../domain/command.ts'
import { doctor } from './doctor.ts'
import { help } from './help.ts'
import { raw } from './raw.ts'
import { retry } from './retry.ts'
import { smoke } from './smoke.ts'
import { stop } from './stop.ts'
import { whoami } from './whoami.ts'

/** Every command of the house, in the order of the help. */
export const commands: readonly Command[] = [smoke, retry, raw, doctor, whoami, stop, help]

/** Slash commands: the bot's own, which takes any command, and a short one for the main job. */
export const slashWords = ['pilotflame', 'smoke'] as const
