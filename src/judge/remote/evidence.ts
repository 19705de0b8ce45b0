import { complaints, linesOf, plain, quoted } from '../../domain/remote/text.ts'
import type { RemoteEnd, RemoteRun } from '../../domain/remote.ts'
import { count, counted, seconds } from '../../domain/report.ts'

/** What came, in the words of who said it; nothing that did not come. */
export function evidenceOf(run: RemoteRun): readonly string[] {
  const { command, end, stdout, stderr, banner = '', dmesg = '', known = '' } = run
  if (end.how === 'untold')
    return tellingLines(stderr)
      .slice(-MOST)
      .map((line) => `said: ${quoted(line)}`)
  const errors = complaints(stderr)
  return [
    ...(command === null ? [] : [`command: ${quoted(command)}`]),
    `end: ${endOf(end)}`,
    ...(stdout === '' ? [] : [`standard output: ${counted(linesOf(stdout).length, 'line')}`]),
    ...(errors.length === 0 ? [] : [`standard error: ${quoted(errors.at(-1) ?? '')}`]),
    ...(banner === '' ? [] : [`greeting: ${quoted(linesOf(banner)[0] ?? '')}`]),
    ...linesOf(`${dmesg}\n${known}`)
      .slice(0, MOST)
      .map((line) => `known: ${quoted(line)}`),
  ]
}

const MOST = 6

/** What a client of SSH says, without the frame and the exhortations of its warnings. */
export function tellingLines(stderr: string): readonly string[] {
  return complaints(stderr)
    .map((line) => line.replace(/^@+\s*|\s*@+$/g, ''))
    .filter((line) => line !== '' && !EXHORTS.test(line))
}

const EXHORTS =
  /^(?:IT IS POSSIBLE THAT|Someone could be|It is also possible|Please contact your|Add correct host key in|The fingerprint for the|remove with:|\s+remove with:|\s+ssh-keygen )/

function endOf(end: Exclude<RemoteEnd, { readonly how: 'untold' }>): string {
  switch (end.how) {
    case 'exited':
      return `exit status ${end.code}`
    case 'signalled':
      return `signal ${end.signal}, no exit status`
    case 'lost':
      return 'the channel closed without an exit status and without a signal'
    case 'error':
      return [`error ${quoted(plain(end.message))}`, end.level, end.code]
        .filter((part) => part !== undefined)
        .join(', ')
    case 'timeout':
      return `none within ${seconds(end.afterMs)}`
    case 'cut':
      return `cut by us after ${count(end.bytes)} bytes`
  }
}
