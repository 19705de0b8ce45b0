import type { Failure } from '../domain/failure.ts'

type Words = Pick<Failure, 'observed' | 'next'>

/** Why no TLS connection came about, by the code of Node or OpenSSL; their text, in one line, only where it tells more. */
export function tlsWords(code: string, message: string): Words {
  const known = BY_CODE.find(({ codes }) => codes.test(code) || codes.test(message))
  if (known !== undefined) return known
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return { observed: `${OTHER_NAME} (${message})`, next: MATCH_NAMES }
  const [, reason = message] = /:SSL routines:[^:]*:([^:]+)/.exec(message) ?? []
  return {
    observed: `no TLS connection (${reason})`,
    next: 'see what the server demands of TLS: this client speaks versions 1.2 and 1.3, and shows no certificate of its own',
  }
}

const OTHER_NAME = 'its TLS certificate is for another name'
const MATCH_NAMES = 'write the name into the URL for which the certificate was made, or have one made for this name'
const START_AGAIN = 'in the file that NODE_EXTRA_CA_CERTS names, and start again'

/** Codes of OpenSSL, as Node passes them on; a verification has its name as code, a broken record only its text. */
const BY_CODE: readonly (Words & { readonly codes: RegExp })[] = [
  {
    codes: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|wrong version number|packet length too long/,
    observed: 'what answers there speaks no TLS',
    next: 'write http:// in the URL, or correct the port',
  },
  {
    codes: /SELF_SIGNED/,
    observed: 'its TLS certificate is self-signed, and nobody known here vouches for it',
    next: `if it is the server's own, put the certificate ${START_AGAIN}`,
  },
  {
    codes: /UNABLE_TO_(?:GET|VERIFY)|CERT_UNTRUSTED/,
    observed: 'its TLS certificate is signed by an authority that is not known here',
    next: `put the authority's certificate ${START_AGAIN}; or let the server send the whole chain`,
  },
  {
    codes: /CERT_HAS_EXPIRED/,
    observed: 'its TLS certificate has expired',
    next: 'renew it there; if it is new, correct the clock of this machine',
  },
  {
    codes: /CERT_NOT_YET_VALID/,
    observed: 'its TLS certificate is not valid yet',
    next: 'correct the clock of this machine, or of the one that made it',
  },
]
