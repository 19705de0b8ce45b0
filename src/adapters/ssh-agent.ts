import type { OpenSSHAgent } from 'ssh2'
import ssh2 from 'ssh2'

import { fingerprint } from './ssh-fingerprint.ts'

/** The agent at a socket; it offers one key where `only` holds its public half in wire format, else all that it has. */
export function agentAt(socket: string, only: Buffer | null): OpenSSHAgent {
  const agent = new ssh2.OpenSSHAgent(socket)
  if (only === null) return agent
  const all = agent.getIdentities.bind(agent)
  agent.getIdentities = (done) => {
    all((error, keys = []) => {
      if (error) return done(error)
      const wanted = keys.filter((key) => 'getPublicSSH' in key && key.getPublicSSH().equals(only))
      if (wanted.length > 0) return done(null, wanted)
      return done(new Error(`it does not hold the key ${fingerprint(only)}`))
    })
  }
  return agent
}
