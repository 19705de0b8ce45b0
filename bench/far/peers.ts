import { costly, output } from './program.ts'

/** Other ways to run one command on many hosts and what one of them costs. All hosts must answer. */
export function peersOf(config: string, addresses: readonly string[], command: string) {
  const list = addresses.join(',')
  const cold = `-F ${config} -o ControlPath=none -a -x`
  /** Each host must have printed a line. */
  const all = async (file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { out } = await output(file, args, env)
    const lines = out.trim().split('\n').length
    if (lines !== addresses.length) throw new Error(`${file}: ${lines} of ${addresses.length} hosts answered`)
  }
  return {
    /** as many times here, without any host: what starting the programs costs */
    local: () => all('bash', ['-c', inParallel(`bash -c ${command}`), 'bash', ...addresses]),
    /** over the master connections */
    xargs: () => all('bash', ['-c', inParallel(`ssh -F ${config} {} ${command}`), 'bash', ...addresses]),
    pdsh: () =>
      all('pdsh', ['-R', 'ssh', '-f', String(addresses.length), '-w', list, command], {
        PDSH_SSH_ARGS: `${cold} -l%u %h`,
      }),
    clush: () => all('clush', ['-n', '-f', String(addresses.length), '-o', cold, '-w', list, command]),
    /** CPU of one cold ssh, in ms */
    async sshCpuMs() {
      const some = addresses.slice(0, 20)
      const line = `for host; do ssh ${cold} "$host" ${command}; done`
      return (await costly('bash', ['-c', line, 'bash', ...some])).cpuMs / some.length
    },
  }
}

function inParallel(line: string): string {
  return `printf '%s\\n' "$@" | xargs -P "$#" -I{} ${line}`
}
