import type { SecureContext } from 'node:tls'
import { createSecureContext, getCACertificates } from 'node:tls'

import type { buildConnector } from 'undici'

import type { Failure } from '../domain/failure.ts'
import { errorOf } from './failure-error.ts'

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
const START_AGAIN =
  'into a file, write ca: FILE at the target in pilotflame.yml (with --url, name it in NODE_EXTRA_CA_CERTS), and start again'

/** The certificates that may vouch for one server: all that this program trusts, and its own in PEM. */
export function ownTrust(pem: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), pem] })
}

/** Says of a server for which none of its target's own certificates vouches that it was these that were tried. */
export function vouched(name: string, connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) return callback(null, socket)
      const unknown = 'code' in error && UNKNOWN.test(String(error.code))
      return callback(unknown ? errorOf(notVouched(name, options)) : error, null)
    })
}

const UNKNOWN = /SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CERT_UNTRUSTED/

function notVouched(name: string, { protocol, host = '' }: buildConnector.Options): Failure {
  return {
    kind: 'tls',
    thing: `${name} (${protocol}//${host})`,
    observed: 'neither an authority in the file of its ca nor a public one vouches for its TLS certificate',
    next: 'put the certificate of the authority that signed for the server into the file that ca names, and start again; or let the server send the whole chain',
  }
}

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
