import { excerpt } from '../excerpt.ts'
import type { RemoteRun } from '../remote.ts'
import { sanitise } from '../sanitise.ts'

/** The lines that say something, without colours and carriage returns. */
export function linesOf(text: string): readonly string[] {
  return sanitise(text)
    .split(/\n|\\u\{d\}/)
    .map((line) => line.slice(0, LONGEST_LINE).trimEnd())
    .filter((line) => line !== '')
}

/** The lines of standard error that are the command's own: what login scripts and ssh itself chatter is left out. */
export function complaints(stderr: string): readonly string[] {
  return linesOf(stderr)
    .slice(-MOST_LINES)
    .filter((line) => !isChatter(line))
}

/** Whether a line of standard error is what login scripts, the shell and ssh chatter beside any command: it says nothing of it. */
export function isChatter(line: string): boolean {
  return CHATTER.test(line.slice(0, LONGEST_LINE))
}

// every pattern is tried on every line, and some want its square
const LONGEST_LINE = 2000
const MOST_LINES = 400

/** A line as a sentence quotes it. */
export function quoted(line: string): string {
  return `“${excerpt(line.trim(), 160)}”`
}

/** What a library threw, in words: without its mark, and without a name that a redactor takes for a secret's. */
export function plain(message: string): string {
  return message.replace(/^\(SSH\) /, '').replace(/\bprivateKey: /, 'private key, ')
}

const CHATTER = new RegExp(
  [
    // the shell's start-up files, and what they do without a terminal
    String.raw`^\S*(?:\.|/)(?:bashrc|profile|bash_\w+|zshrc|zshenv|zprofile|kshrc|cshrc|tcshrc|login|config\.fish|bash\.bashrc)\b`,
    String.raw`^(?:-?\w*sh: )?\S*/(?:profile\.d|etc/profile|etc/environment)\b`,
    String.raw`^-?\w*sh: \S*\.(?:bash_?\w*|profile|zsh\w*)\b`,
    '^(?:mesg: |stty: |tput: |tset: |stdin: is not a tty|bind: warning|nohup: ignoring input|term environment variable not set)',
    // libraries that the account loads into every program, and groups without a name
    String.raw`ld\.so: object .{1,200} from LD_PRELOAD cannot be preloaded|\bno version information available|cannot find name for (?:group|user) id`,
    '^could not chdir to home directory',
    'inappropriate ioctl for device|no job control in this shell|cannot set terminal process group',
    // languages that are not installed
    String.raw`\bsetlocale\b|cannot set locale|can't set the locale|setting locale failed|locale settings|fall(?:ing|back) back to (?:\S{1,20} ){0,3}\S{0,20}locale`,
    String.raw`^\s*(?:LANGUAGE|LANG|LC_\w+) = |^\s*are supported and installed`,
    // ssh and sudo themselves
    String.raw`^warning: (?:permanently added|remote port forwarding|the \S+ host key)|^\*\* (?:warning|this session|the server)`,
    String.raw`^pseudo-terminal will not|\bx11 (?:forwarding|connection)\b|xauth|^connection to \S+ closed|^shared connection|^debug\d:`,
    '^bind \\[\\S{1,40}\\]:\\d+: |^channel_setup_fwd_listener|^could not request (?:local|remote) forwarding|^client_global_hostkeys',
    '^sudo: unable to resolve host|^sudo: setrlimit',
  ].join('|'),
  'i',
)

/** Whether its standard error is the log of a program in a container, so data like its standard output. */
export function showsALog({ command }: RemoteRun): boolean {
  return /\b(?:docker|podman|nerdctl|kubectl)(?: compose| [-\w=./]{1,80}){0,4} logs\b/.test(command ?? '')
}
