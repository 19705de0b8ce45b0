// Says in one sentence that this Node is too old. CommonJS, so that any Node from 6 on can run it.
const NEEDED = 24
const found = process.versions.node
const inCheckout = __dirname.endsWith('scripts')
const next =
  inCheckout && process.platform === 'linux' && process.arch === 'x64'
    ? 'run "npm ci", which brings one (without --omit=optional)'
    : 'install it from https://nodejs.org or with your version manager'

if (Number(found.split('.')[0]) < NEEDED) {
  process.stderr.write(`Pilotflame needs Node ${NEEDED} or newer, this is Node ${found}: ${next}.\n`)
  process.exit(1)
}
