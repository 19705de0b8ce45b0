import type { Evidence } from '../../domain/finding.ts'
import type { Sign } from '../../domain/signature.ts'
import type { LineFault, Said } from '../log/line-faults.ts'
import { isStopping } from '../log/line-faults.ts'
import { quotedSign, signsOf } from '../log/signs.ts'
import { noInterfaceSignatures, unreachedSignatures } from './engine-network-signs.ts'

/** A rank could not connect to another one: the network between them, not their cards. */
export const unreached: LineFault = {
  signatures: unreachedSignatures,
  holds: 'start',
  codes: ['engine.peer-unreachable'],
  say: (sign, evidence) => (isStopping(evidence, sign.at) ? null : notReached(sign)),
}

/** NCCL_SOCKET_IFNAME names an interface that is not there. */
export const noInterface: LineFault = {
  signatures: noInterfaceSignatures,
  holds: 'start',
  codes: ['engine.peer-unreachable'],
  say: () => ({
    ...UNREACHED,
    cause:
      'NCCL finds no network interface to reach the other ranks by: NCCL_SOCKET_IFNAME names none that this host has.',
    remedy: [
      'See which there are: ip -br addr. Set NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME on every host to the one with the address that the other hosts know, or leave both unset; then start all ranks again.',
      IN_CONTAINER,
    ],
    confidence: 'certain',
  }),
}

/**
 * The same of an error of NCCL, where the log also says which connection failed in that start; null where it does not, or
 * where NCCL only passes on what broke on a GPU.
 */
export function networkBehind(error: Sign, evidence: Evidence): Said | null {
  if (isPassedOn(error)) return null
  const lines = signsOf(evidence, 'nccl-unreached')
  const line = lines.findLast(({ at }) => at <= error.at) ?? lines[0]
  if (line === undefined || hasWorkedBetween(evidence, line.at, error.at)) return null
  return { ...notReached(line), also: [quotedSign(line)] }
}

/** Whether NCCL only passes on what broke on a GPU. */
export function isPassedOn({ line }: Sign): boolean {
  return /cuda (?:error|failure)|illegal memory access/i.test(line)
}

/** Ranks that served were connected. */
function hasWorkedBetween(evidence: Evidence, one: number, other: number): boolean {
  const [from, to] = [Math.min(one, other), Math.max(one, other)]
  return signsOf(evidence, 'stage-ready', 'stage-serving').some(({ at }) => at > from && at < to)
}

const UNREACHED = {
  code: 'engine.peer-unreachable',
  verdict: 'misconfigured',
  explains: ['log.need-more', 'engine.hang', 'engine.invariant', 'engine.aborted'],
} as const

const IN_CONTAINER =
  'In a container: --network host on every host; else the ranks see addresses of their own bridge, which lead nowhere from outside.'
const FIRST_TO_FALL =
  'another rank ended before, and closed its port: then the log of that rank names its own error, which is the cause.'

function notReached({ fields }: Sign): Said {
  const { peer, why } = fields
  const to = peer === undefined ? 'another one' : `another one at ${peer}`
  const said = why === undefined ? 'no connection came about in time' : why.toLowerCase()
  const inward = peer !== undefined && INWARD.test(peer) ? ', an address that leads to no other host' : ''
  return {
    ...UNREACHED,
    cause: `A rank of the engine could not connect to ${to}${inward} (${said}): the network between them, not the GPUs, by a wrong interface or a firewall.`,
    remedy: [
      `See by which interface the other rank is reached: ip route get ${peer ?? 'ADDRESS'}. Set NCCL_SOCKET_IFNAME and GLOO_SOCKET_IFNAME to it on every host, then start all ranks again.`,
      'Open the firewall between the hosts for all TCP ports, both ways: NCCL takes any that is free, not only the port of the start (--dist-init-addr, --master-port).',
      IN_CONTAINER,
    ],
    confidence: 'likely',
    unless: FIRST_TO_FALL,
    missing: ['the logs of the other ranks, with NCCL_DEBUG=INFO'],
  }
}

/** Of the host itself, of a bridge of Docker, or one that nobody assigned. */
const INWARD = /^(?:127\.|172\.17\.|169\.254\.|::1$|fe80:)/i
