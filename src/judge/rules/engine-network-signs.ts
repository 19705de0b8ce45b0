import type { Signature } from '../../domain/signature.ts'

/** `why`: the words of the system; `peer`: the address that was tried, as far as the line names it. */
export const unreachedSignatures: readonly [Signature, ...Signature[]] = [
  {
    name: 'nccl-unreached',
    // NCCL warns where it gives up; what it tries again is INFO. torch repeats its words without the head, as "Last error"
    anchors: ['NCCL WARN', 'ocketPollConnect:', 'ocketStartConnect:'],
    pattern:
      /(?:NCCL WARN |(?<!NCCL INFO )\b(?:ncclOs)?[sS]ocket(?:Poll|Start)Connect: )(?:.{0,120}?\b[Cc]onnect(?:ion)? to (?<peer>[\w.:%-]{2,80})<\d{1,5}>)?.{0,160}?(?<why>Connection refused|(?:Connection|Operation) timed out|No route to host|(?:Network|Host) is unreachable|Cannot assign requested address|Software caused connection abort)/,
    example:
      'gpu1:240:240 [6] misc/socket.cc:533 NCCL WARN socketPollConnect: Connect to 10.0.0.4<56849> returned 113(No route to host) errno 115(Operation now in progress)',
    nearMiss:
      'gpu1:240:240 [6] NCCL INFO socketPollConnect: connect to 10.0.0.4<56849> returned Connection refused, retrying',
  },
  {
    name: 'torch-unreached',
    anchors: [
      'client socket has timed out after',
      'client socket has failed to connect',
      'Gloo connectFullMesh failed',
    ],
    pattern:
      /(?:Error|Exception): .{0,80}[Tt]he client socket has (?:timed out after \d{1,9} ?ms while trying to connect to|failed to connect to any network address of) \((?<peer>[\w.:%-]{2,80}), \d{1,5}\)|Error: Gloo connectFullMesh failed/,
    example:
      'torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (10.0.0.1, 20000).',
    nearMiss:
      '[W socket.cpp:663] [c10d] The client socket has failed to connect to [localhost]:29500 (errno: 99 - Cannot assign requested address).',
  },
]

/** NCCL looked for the interface that somebody named. */
export const noInterfaceSignatures: readonly [Signature, ...Signature[]] = [
  {
    name: 'nccl-no-interface',
    anchors: ['no socket interface found'],
    pattern: /NCCL WARN .{0,40}no socket interface found/,
    example: 'gpu1:240:240 [0] bootstrap.cc:45 NCCL WARN Bootstrap : no socket interface found',
    nearMiss: 'gpu1:240:240 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.4<0>',
  },
]
