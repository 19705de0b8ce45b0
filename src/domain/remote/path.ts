/** The program that a shell did not find, as it says so; null where the line says nothing of the kind. */
export function notFound(line: string): string | null {
  for (const wording of WORDINGS) {
    const name = wording.exec(line)?.groups?.['name']
    if (name !== undefined) return name
  }
  return null
}

const NAME = String.raw`['"‘“]?(?<name>[\w./+@-]+)['"’”]?`

/** Who says it: bash, dash, busybox, ksh with a line number or without, sudo, or a script by its path. */
const SPEAKER = String.raw`^(?:-?[\w./]*sh(?:\[\d+\])?|sudo|/\S+|\S+\.sh)(?: \d+)?:(?: line)?(?: ?\d+:)?(?: exec:| eval:)?`

const WORDINGS: readonly RegExp[] = [
  new RegExp(`command not found: ${NAME}`, 'i'), // zsh
  new RegExp(`unknown command:? ${NAME}`, 'i'), // fish
  new RegExp(`${SPEAKER} ${NAME}: (?:command )?not found`, 'i'),
  new RegExp(`${SPEAKER} ${NAME}: no such file or directory`, 'i'),
  new RegExp(`^${NAME}: command not found`, 'i'), // csh
  new RegExp(`^command ${NAME} not found`, 'i'), // Ubuntu's helper
  // env, timeout, nohup, nice, setsid, nsenter, systemd-run, and those of busybox
  new RegExp(`(?:failed to (?:run command|execute|find executable)|can't execute) ${NAME}`, 'i'),
  new RegExp(String.raw`^(?:\S*env|xargs|nice|nohup): ${NAME}: no such file or directory`, 'i'),
]
