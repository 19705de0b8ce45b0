import { openApi } from '../../src/adapters/http.ts'
import { silent } from '../adapters/http-server.ts'
import { failureIn } from '../adapters/tidy.ts'
import type { BadInput } from './row.ts'

type Row = BadInput & { readonly says: readonly string[] }

/** URLs that are never called; the failure must hold the words beside each. */
export const urlRows: readonly Row[] = [
  row('nothing', '', ['is no URL', 'http://ADDRESS:PORT']),
  row('no scheme', '10.0.0.5:30000', ['is no URL', 'http://ADDRESS:PORT']),
  row('a name as scheme', 'localhost:30000', ['scheme localhost:', 'http://ADDRESS:PORT']),
  row('a port that is none', 'http://10.0.0.5:300000', ['is no URL']),
  row('a file', 'file:///etc/passwd', ['scheme file:', 'http://ADDRESS:PORT']),
  row('another protocol', 'ftp://10.0.0.5', ['scheme ftp:']),
  row('a password', 'http://me:secret@10.0.0.5:30000', ['a user or a password', 'api_key'], ['secret']),
  row('a password in what is no URL', 'me://x:secret@ y', ['no URL'], ['secret']),
  row('a query', 'http://10.0.0.5:30000/?key=secret', ['a query', 'api_key'], ['secret']),
  row('a fragment', 'http://10.0.0.5:30000/#top', ['a fragment']),
  row('the route as well', 'http://10.0.0.5:30000/v1/', ['ends in /v1', 'leave /v1 out']),
  row('the metadata service', 'http://169.254.169.254/', ['link-local or metadata']),
  row('the same in decimal', 'http://2852039166/', ['link-local or metadata']),
  row('the same in hex', 'http://0xa9fea9fe/', ['link-local or metadata']),
  row('the same in octal', 'http://0251.0376.0251.0376/', ['link-local or metadata']),
  row('the same mapped into IPv6', 'http://[::ffff:169.254.169.254]/', ['link-local or metadata']),
  row('the same through NAT64', 'http://[64:ff9b::a9fe:a9fe]/', ['link-local or metadata']),
  row('the same in IPv6', 'http://[fd00:ec2::254]/', ['link-local or metadata']),
  row('link-local IPv6', 'http://[fe80::1]:30000/', ['link-local or metadata']),
  row('the metadata service by name', 'http://metadata.google.internal./', ['link-local or metadata']),
  row('the metadata service of another cloud', 'http://100.100.100.200/', ['link-local or metadata']),
]

function row(name: string, url: string, says: readonly string[], hides: readonly string[] = []): Row {
  return {
    name,
    says,
    async run() {
      const failure = failureIn(openApi({ name: 'target qwen', url, apiKey: null, dial: null, log: silent }))
      const shown = hides.filter((secret) => JSON.stringify(failure).includes(secret))
      return shown.length === 0 ? failure : { ...failure, observed: `shows ${shown.join()}` }
    },
  }
}
