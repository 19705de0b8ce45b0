import type { Failure, FailureKind } from '../failure.ts'
import { offerOf } from './offer.ts'

/** What was seen of a failed conversation and what to do, by its kind. `whose`: the host, where it is known. */
export function sshWords(kind: FailureKind, message: string, whose: Whose = SOME_HOST): Words {
  const told = WORDS[kind]?.(message, `hosts.${whose.name}`, whose.user)
  return told ?? { observed: message, next: 'look into the log of sshd there (journalctl -u ssh)' }
}

/** Somebody accepts connections at the port, and no SSH server speaks, or it fell silent while logging in. */
export function silentWords(message: string): Words {
  return {
    observed: `no answer: the port is open, and the SSH server behind it is silent (${message})`,
    next:
      "look at sshd on the machine's own console (systemctl status ssh; load and memory, a slow name service with " +
      'UseDNS); or something else has that port (ss -ltnp)',
  }
}

export type Words = Pick<Failure, 'observed' | 'next'>

interface Whose {
  readonly name: string
  readonly user: string
}

const SOMEBODY = 'USER'
const SOME_HOST: Whose = { name: 'NAME', user: SOMEBODY }

const OWN_CONSOLE =
  'compare the fingerprint with the one that the machine shows at its own console (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub); only if they are equal, pin it'

/** `host`: its place in the configuration, `hosts.gpu-box-1`. */
type Say = (message: string, host: string, user: string) => Words

function fileIn(message: string): string {
  return / on (\S{1,200})\s*$/.exec(message)?.[1] ?? 'FILE'
}

const WORDS: Readonly<Partial<Record<FailureKind, Say>>> = {
  dns: (message, host) => ({
    observed: `the name does not resolve (${message})`,
    next: `correct ${host}.address, or mend the name service of this machine`,
  }),
  refused: (_, host) => ({
    observed: 'connection refused',
    next: `start sshd there (systemctl start ssh), or correct ${host}.port`,
  }),
  'connect-timeout': (message) =>
    /banner exchange/i.test(message)
      ? silentWords(message)
      : {
          observed: `no answer (${message})`,
          next: 'see whether the machine is up and whether a firewall lies between',
        },
  banned: () => ({
    observed: 'sshd closed the connection before it greeted',
    next: 'wait a minute: this is its penalty for failed logins, or MaxStartups; then look into its log (journalctl -u ssh)',
  }),
  'not-ssh': (message, host) => ({
    observed: `what answers there is no SSH server (${message})`,
    next: `correct ${host}.port`,
  }),
  kex: (message) => ({ observed: `no common way to talk (${message})`, next: nextOfKex(message) }),
  'ssh-auth': (_, host, user) => ({
    observed: user === SOMEBODY ? 'refuses every key that we offered' : `refuses our key for user ${user}`,
    next:
      `add the public key to ~${user}/.ssh/authorized_keys there, or correct ${host}.user or ${host}.key; if it is there, ` +
      "the host's log says why (journalctl -u ssh): file modes, from=, DenyUsers, a locked account. " +
      'Then `pilotflame doctor` tries at once; else it is not tried again for 10 minutes, lest sshd lock us out',
  }),
  'auth-method': (message, host) => ({
    observed: `no way of signing with our key that both sides take (${message})`,
    next: `use an ed25519 key for ${host}.key: signatures of RSA with SHA-1, DSA keys and certificates are not taken any more`,
  }),
  agent: (message) => ({
    observed: `the SSH agent did not sign (${message})`,
    next: 'see with ssh-add -l whether the agent holds the key',
  }),
  'ssh-config': (message) => ({
    observed: `the SSH client refuses its own configuration, and talked to nobody (${message})`,
    next: /bad owner or permissions/i.test(message)
      ? `let the file belong to the user that runs ssh, or to root, and nobody else write it: chown USER ${fileIn(message)}, chmod 600 ${fileIn(message)}; of a file that is mounted into a container, on its host`
      : 'correct or take out the line that it names, then try ssh -G HOST, which reads the configuration and connects to nobody',
  }),
  'key-format': (message, host) => ({
    observed: `our private key cannot be read (${message})`,
    next: `rewrite it in OpenSSH's form (ssh-keygen -p -f FILE; from PuTTY: puttygen FILE -O private-openssh), or correct ${host}.key`,
  }),
  'key-passphrase': (message, host) => ({
    observed: `our private key is encrypted, and its passphrase is missing or another one (${message})`,
    next: `set ${host}.key_passphrase_env to the name of the variable that holds it, or let an SSH agent hold the key`,
  }),
  'hostkey-unknown': (message) => ({ observed: `its host key is not known (${message})`, next: OWN_CONSOLE }),
  'hostkey-changed': (message) => ({
    observed: `its host key is not the pinned one${/^host key verification failed/i.test(message) ? ', or none is pinned' : ''} (${message})`,
    next: `find out why first: a new installation, another machine at this address, or somebody in between. Then ${OWN_CONSOLE}`,
  }),
  reset: (message) => ({
    observed: `the connection was cut while logging in (${message})`,
    next: 'look into the log of sshd there (journalctl -u ssh)',
  }),
  keepalive: (message) => ({
    observed: `the other side stopped answering (${message})`,
    next: 'see whether the machine hangs or the way to it is cut; what ran there may still run: look before repeating it',
  }),
  jump: (message, host) => ({
    observed: `the way through the jump host broke (${message})`,
    next: `log in to the jump host and try the next hop from there: it needs AllowTcpForwarding, and ${host}.address as it is seen from there`,
  }),
  'max-sessions': (message) => ({
    observed: `sshd opens no more sessions on this connection (${message})`,
    next: 'wait until commands have ended; or raise MaxSessions in sshd_config there (10 by default)',
  }),
  'forward-prohibited': (message) => ({
    observed: `the host does not allow this forward (${message})`,
    next: 'allow it there: AllowTcpForwarding and PermitOpen in sshd_config, or permitopen= in authorized_keys',
  }),
  'exec-refused': (message, _, user) => ({
    observed: `sshd does not run this command (${message})`,
    next: `look at the account ${user} there: its login shell, a ForceCommand in sshd_config, command= in authorized_keys`,
  }),
  lost: (message) => ({ observed: message, next: 'ask again: it is dialled anew' }),
}

function nextOfKex(message: string): string {
  const offer = offerOf(message)
  if (offer === null)
    return 'update sshd there; this client knows curve25519, ecdh and dh groups with sha2, no post-quantum exchange'
  return (
    `let sshd there take one of ${offer.names.join(', ')} (${offer.keyword} in sshd_config, sshd -T shows it), ` +
    'or update it: this client offers no other'
  )
}
