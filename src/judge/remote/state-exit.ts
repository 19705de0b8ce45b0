/** What an exit status other than 0 answers, where the command's nature is to answer by it; null where it does not. */
export function stateExit(command: string, code: number, firstLine: string): string | null {
  if (code === CLOSED_PIPE) return 'its reader had enough and closed the pipe'
  const asked = lastOf(command)
  const known = ANSWERS.find(([words, codes]) => words.test(asked) && codes.includes(code))
  if (known === undefined) return null
  const [, , answer] = known
  return firstLine === '' ? answer : `${answer}: ${firstLine}`
}

/** 128 + SIGPIPE, as `head` leaves it behind with `pipefail`. */
const CLOSED_PIPE = 141

type Answer = readonly [words: RegExp, codes: readonly number[], answer: string]

// systemctl(1): is-active and status give 3 for a unit that is not active, 4 for an unknown one, is-failed and is-enabled 1
const ANSWERS: readonly Answer[] = [
  [/^systemctl\b.*\bis-active\b/, [1, 3, 4], 'the unit is not active'],
  [/^systemctl\b.*\bstatus\b/, [1, 2, 3], 'the unit is not running'],
  [/^systemctl\b.*\bis-failed\b/, [1], 'the unit has not failed'],
  [/^systemctl\b.*\bis-enabled\b/, [1], 'the unit is not enabled'],
  [/^systemctl\b.*\bis-system-running\b/, [1], 'not all units run'],
  [/^(?:service \S+ status|\/etc\/init\.d\/\S+ status|rc-service \S+ status)/, [1, 2, 3], 'the service does not run'],
  [/^(?:[ef]?grep|zgrep|rg|ag|journalctl\b.*(?:-g|--grep))\b/, [1], 'nothing matches'],
  [/^(?:pgrep|pidof|ps\b.*-[pC])\b/, [1], 'no such process runs'],
  [/^kill -0\b/, [1], 'no such process runs'],
  [/^(?:diff|cmp|git diff)\b/, [1], 'there are differences'],
  [/^(?:test|\[|\[\[)(?:\s|$)/, [1], 'the test says no'],
  [/^(?:which|command -v|type|hash|whereis)\b/, [1, 127], 'it is not in the PATH'],
  [/^(?:lsof|fuser)\b/, [1], 'nobody uses it'],
  [/^(?:ss|nc|ping)\b/, [1], 'nobody answers there'],
  [/^mountpoint\b/, [1, 32], 'nothing is mounted there'],
  [/^getent\b/, [2], 'there is no such entry'],
  [/^systemd-detect-virt\b/, [1], 'no virtual machine and no container'],
  [/^(?:dnf|yum) check-update\b/, [100], 'there are updates'],
  [/^ssh-keygen\b.* -F\b/, [1], 'no such host is known'],
]

/** The status is the last command's; what only leads to it is taken away: sudo, a shell, the way into a container. */
function lastOf(command: string): string {
  let rest =
    command
      .split(/\|\|?|&&|;/)
      .at(-1)
      ?.trim() ?? ''
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(LEADING, '')
  }
  return rest
}

const LEADING =
  /^(?:sudo(?: -\S+)*|env|nice|exec|timeout(?: -\S+(?: \d+)?)* [\d.]+[smh]?|[A-Z_]+=\S*|(?:\/\S*\/)?(?:ba|da|z|a)?sh -l?c|pct exec \d+(?: --)?|lxc-attach .*? --|(?:lxc|incus) exec \S+ --|(?:docker|podman) exec(?: -\S+)* \S+|\/usr\/bin\/|\/bin\/|["'(])\s*/
