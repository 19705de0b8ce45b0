import { execFile } from 'node:child_process'

/** What a command did. */
export interface Executed {
  /** as a shell counts: 127 where it did not start, 137 where it took too long and was killed */
  readonly rc: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a shell line as root in the namespaces of a process: it needs no part of what is tested. */
export function execIn(pid: number, line: string, input = ''): Promise<Executed> {
  const namespaces = ['--mount', '--pid', '--uts', '--ipc', '--net', '--cgroup']
  const shell = ['env', '-i', `PATH=${PATH}`, 'HOME=/root', '/bin/sh', '-c', line]
  return execute('nsenter', ['-t', String(pid), ...namespaces, '--', ...shell], input)
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Runs a program of this machine to its end, for at most 20 s. */
export function execute(file: string, args: readonly string[], input = ''): Promise<Executed> {
  return new Promise((resolve) => {
    const limits = { timeout: 20_000, killSignal: 'SIGKILL', maxBuffer: 16 * 1024 * 1024 } as const
    const child = execFile(file, args, limits, (error, stdout, stderr) => {
      resolve({ rc: rcOf(error), stdout, stderr })
    })
    // it need not read what it is given
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

function rcOf(error: { readonly code?: unknown; readonly killed?: boolean } | null): number {
  if (error === null) return 0
  if (typeof error.code === 'number') return error.code
  return error.killed === true ? 137 : 127
}
