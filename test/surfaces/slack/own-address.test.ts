import { expect, test } from 'vitest'
import { ownAddress } from '../../../src/surfaces/slack/own-address.ts'

const [COMMON, GOV, BOX] = ['https://slack.com/api/', 'https://slack-gov.com/api/', 'http://127.0.0.1:7331/api/']

test.each([
  ['a file of Slack', 'https://files.slack.com/files-pri/T1-F1/download/a.log', COMMON],
  ['a file of GovSlack', 'https://files.slack-gov.com/files-pri/T1-F1/download/a.log', GOV],
  ['a workspace of GovSlack', 'https://agency.slack-gov.com/files/a.log', 'https://agency.slack-gov.com/api/'],
  ['the origin of the API itself', 'http://127.0.0.1:7331/files/a.log', BOX],
])('the token may go to %s', (_, address, api) => {
  expect(ownAddress(address, api)?.href).toBe(address)
})

test.each([
  ['GovSlack, from the common Slack', 'https://files.slack-gov.com/a.log', COMMON],
  ['the common Slack, from GovSlack', 'https://files.slack.com/a.log', GOV],
  ['a host that only ends alike', 'https://evilslack-gov.com/a.log', GOV],
  ['a host that begins alike', 'https://files.slack-gov.com.evil.example/a.log', GOV],
  ['a host behind a user name', 'https://files.slack-gov.com@evil.example/a.log', GOV],
  ['no TLS', 'http://files.slack-gov.com/a.log', GOV],
  ['another port', 'https://files.slack-gov.com:8443/a.log', GOV],
  ['a sibling of a host of our own', 'https://other.example.org/a.log', 'https://slack.example.org/api/'],
  ['another port of this machine', 'http://127.0.0.1:7332/a.log', BOX],
  ['no address', 'files.slack.com/a.log', COMMON],
])('the token does not go to %s', (_, address, api) => {
  expect(ownAddress(address, api)).toBeNull()
})
