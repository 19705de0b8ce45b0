import { describe, expect, test } from 'vitest'

import { dangerOf, readBaseUrl, readProxyUrl } from '../../src/domain/url.ts'

describe('readBaseUrl', () => {
  test.for([
    ['http://127.0.0.1:30000', 'http://127.0.0.1:30000'],
    ['HTTPS://LLM.example/', 'https://llm.example'],
    ['http://gpu-box-1:8000/v1', 'http://gpu-box-1:8000'],
    ['http://gpu-box-1:8000/openai/v1/', 'http://gpu-box-1:8000/openai'],
    ['http://gpu-box-1:8000/v11', 'http://gpu-box-1:8000/v11'],
    ['http://[fd00::1]:30000', 'http://[fd00::1]:30000'],
    ['http://metadata-cache.example', 'http://metadata-cache.example'],
  ] as const)('%s is %s', ([text, url]) => {
    expect(readBaseUrl(text)).toEqual({ ok: true, url })
  })

  test.for([
    ['', 'no http or https URL', 'http://127.0.0.1:30000'],
    ['10.0.0.5:30000/openai', 'no http or https URL', 'write http://10.0.0.5:30000/openai'],
    ['10.0.0.5/?key=secret', 'no http or https URL', 'http://127.0.0.1:30000'],
    ['me:secret@10.0.0.5', 'no http or https URL', 'http://127.0.0.1:30000'],
    ['http://', 'no http or https URL', 'http://127.0.0.1:30000'],
    ['http://me:secret@x', 'a URL with a user or password in it', 'api_key_env'],
    ['http://x/?key=secret', 'a URL with ? or # in it', 'leave them out'],
    ['http://2852039166/', 'the link-local address 169.254.169.254', 'never called'],
  ] as const)('%s is refused: %s', ([text, found, next]) => {
    const read = readBaseUrl(text)
    expect(read).toMatchObject({ ok: false, found, next: expect.stringContaining(next) })
    expect(JSON.stringify(read)).not.toContain('secret')
  })
})

describe('readProxyUrl', () => {
  test.for([
    ['http://proxy.example:3128', 'http://proxy.example:3128'],
    ['HTTP://10.0.0.9/', 'http://10.0.0.9'],
    ['http://[fd00::9]:8080', 'http://[fd00::9]:8080'],
  ] as const)('%s is %s', ([text, url]) => {
    expect(readProxyUrl(text)).toEqual({ ok: true, url })
  })

  test.for([
    ['', 'no URL of a proxy', 'http://proxy.example:3128'],
    ['proxy.example:3128', 'no URL of a proxy', 'http://proxy.example:3128'],
    ['socks5://10.0.0.9:1080', 'no URL of a proxy', 'http://proxy.example:3128'],
    ['https://proxy.example:3129', 'a proxy that is spoken to by TLS', 'name its plain port'],
    ['http://me:secret@proxy.example:3128', 'with a user or password in it', 'accept this machine'],
    ['http://proxy.example:3128/secret', 'with more than its address', 'http://proxy.example:3128'],
    ['http://proxy.example:3128/?key=secret', 'with more than its address', 'http://proxy.example:3128'],
    ['http://169.254.169.254/', 'the link-local address 169.254.169.254', 'never called'],
  ] as const)('%s is refused: %s', ([text, found, next]) => {
    const read = readProxyUrl(text)
    expect(read).toMatchObject({
      ok: false,
      found: expect.stringContaining(found),
      next: expect.stringContaining(next),
    })
    expect(JSON.stringify(read)).not.toContain('secret')
  })
})

describe('dangerOf finds', () => {
  test.for([
    ['169.254.169.254', 'link-local'],
    ['169.254.0.1', 'link-local'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['[::ffff:a9fe:a9fe]', 'link-local'],
    ['::169.254.169.254', 'link-local'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['FEBF::1', 'link-local'],
    ['100.100.100.200', 'metadata'],
    ['::ffff:100.100.100.200', 'metadata'],
    ['64:ff9b::6464:64c8', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['FD00:0EC2:0:0:0:0:0:0254', 'metadata'],
    ['::ffff:0:169.254.169.254', 'link-local'],
    ['64:ff9b:1::a9fe:a9fe', 'link-local'],
    ['2002:a9fe:a9fe::1', 'link-local'],
    ['168.63.129.16', 'metadata'],
    ['192.0.0.192', 'metadata'],
    ['2002:6464:64c8::', 'metadata'],
    ['64:ff9b:1:2:3:4:a83f:8110', 'metadata'],
    ['fd00:ec2::23', 'metadata'],
    ['fd20:ce::254', 'metadata'],
    ['fd00:c1::a9fe:a9fe', 'metadata'],
    ['fd00:42::42', 'metadata'],
    ['metadata.goog', 'metadata'],
    ['metadata', 'metadata'],
    ['metadata.google.internal.', 'metadata'],
    ['instance-data', 'metadata'],
  ] as const)('%s is %s', ([host, danger]) => {
    expect(dangerOf(host)).toBe(danger)
  })
})

describe('dangerOf leaves alone', () => {
  test.for([
    '127.0.0.1',
    '10.0.0.5',
    '169.253.1.1',
    '100.100.100.201',
    '[::1]',
    '::ffff:10.0.0.5',
    'fec0::1',
    'fd00:ec2::255',
    'fd00:ec2::1:254',
    '64:ff9b::a00:5',
    '64:ff9b:1::a00:5',
    '64:ff9b:2::a9fe:a9fe',
    '::1:ffff:a9fe:a9fe',
    '2002:a00:5::1',
    '2003:a9fe:a9fe::1',
    'fd20:ce::255',
    '168.63.129.17',
    '2001:db8::a9fe:a9fe',
    '1:2:3:4:5:6:7:8',
    'localhost',
    'gpu-box-1.example',
    'fe80.example',
    'metadata.example',
  ])('%s may be called', (host) => {
    expect(dangerOf(host)).toBeNull()
  })
})
