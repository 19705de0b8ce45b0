import { expect } from 'vitest'

import { openApi } from '../../src/adapters/http.ts'
import { adHocConfig } from '../../src/config/ad-hoc.ts'
import { silent } from '../adapters/http-server.ts'
import { failureIn } from '../adapters/tidy.ts'
import type { BadInput } from './row.ts'

type Row = BadInput & { readonly says: readonly string[] }

/** URLs that are never called, whether the configuration reads them or HTTP; the failure must hold the words beside each. */
export const urlRows: readonly Row[] = [
  row('nothing', '', ['no http or https URL', 'http://127.0.0.1:30000']),
  row('no scheme', '10.0.0.5:30000', ['no http or https URL', 'write http://10.0.0.5:30000']),
  row('a name without scheme', 'localhost:30000', ['no http or https URL', 'write http://localhost:30000']),
  row('a port that is none', 'http://10.0.0.5:300000', ['a URL whose port is out of range', '1 to 65535']),
  row('a port that is none, of IPv6', 'http://[::1]:99999/v1', ['a URL whose port is out of range', '1 to 65535']),
  row('port 0', 'http://10.0.0.5:0', ['a URL whose port is out of range', '1 to 65535']),
  row('a port that is no number', 'http://10.0.0.5:http', ['no http or https URL']),
  row('a password that is a number', 'http://me:99999@10.0.0.5:99999', ['no http or https URL'], ['99999']),
  row('a file', 'file:///etc/passwd', ['no http or https URL', 'http://127.0.0.1:30000']),
  row('another protocol', 'ftp://10.0.0.5', ['no http or https URL']),
  row(
    'a password',
    'http://me:secret@10.0.0.5:30000',
    ['a user or password', 'api_key_env: NAME', 'PILOTFLAME_API_KEY'],
    ['secret'],
  ),
  row('a password in what is no URL', 'me://x:secret@ y', ['no http or https URL'], ['secret']),
  row('a query', 'http://10.0.0.5:30000/?key=secret', ['? or #', 'leave them out'], ['secret']),
  row('a query in what is no URL', '10.0.0.5:30000/?key=secret', ['no http or https URL'], ['secret']),
  row('a fragment', 'http://10.0.0.5:30000/#top', ['? or #']),
  row('the metadata service', 'http://169.254.169.254/', ['link-local address', 'never called']),
  row('the same in decimal', 'http://2852039166/', ['link-local address 169.254.169.254']),
  row('the same in hex', 'http://0xa9fea9fe/', ['link-local address 169.254.169.254']),
  row('the same in octal', 'http://0251.0376.0251.0376/', ['link-local address 169.254.169.254']),
  row('the same mapped into IPv6', 'http://[::ffff:169.254.169.254]/', ['link-local address']),
  row('the same through NAT64', 'http://[64:ff9b::a9fe:a9fe]/', ['link-local address']),
  row('the same in IPv6', 'http://[fd00:ec2::254]/', ['metadata address']),
  row('link-local IPv6', 'http://[fe80::1]:30000/', ['link-local address']),
  row('the metadata service by name', 'http://metadata.google.internal./', ['metadata address']),
  row('the metadata service of another cloud', 'http://100.100.100.200/', ['metadata address']),
]

function row(name: string, url: string, says: readonly string[], hides: readonly string[] = []): Row {
  return {
    name,
    says,
    async run() {
      const failure = failureIn(openApi({ name: 'target qwen', url, apiKey: null, dial: null, log: silent }))
      const inConfiguration = adHocConfig({ url, model: null, engine: null, env: {}, cwd: '/' })
      expect(failureIn(inConfiguration)).toMatchObject({ observed: failure.observed, next: failure.next })
      const shown = hides.filter((secret) => JSON.stringify(failure).includes(secret))
      return shown.length === 0 ? failure : { ...failure, observed: `shows ${shown.join()}` }
    },
  }
}
