import type { BoxExec, BoxRun } from './box-exec.ts'

/**
 * The demo box's gate: it answers as the installed one does, and knows what `doctor` asks. Nothing is run on this
 * machine: what a GPU box would say of itself is made up.
 */
export const demoGate: BoxExec = (command) => {
  const [verb = '', op = ''] = command.replace('/bin/sh -s -- ', '').split(' ')
  if (!/^[0-9a-f]{32}$/.test(op)) return ended(126, '\nGATE - begin 1 installed\n\nGATE - refused no verb\n')
  const [rc, name, text] = ANSWERS[verb] ?? [69, 'refusal', `tool-missing ${verb}, on a demo box`]
  const mark = (words: string) => `\nGATE ${op} ${words}\n`
  return ended(
    rc,
    `${mark('begin 1 installed')}${mark(`section ${name}`)}${text}${mark('close 0')}${mark(`end ${rc}`)}`,
  )
}

const FACTS = [
  'gate=1',
  'delivery=installed',
  'user=pilotflame',
  'uid=998',
  'host=gpu-box-1',
  'kernel=6.8.0',
  'os=Ubuntu 24.04 LTS (demo)',
  'boot=0',
  'uptime=86400',
  'systemd=255',
  'sudo=yes',
  'state=/var/lib/pilotflame',
].join('\n')

const UNIT = ['Id=sglang.service', 'LoadState=loaded', 'ActiveState=active', 'SubState=running', 'MainPID=4711'].join(
  '\n',
)

const ANSWERS: Readonly<Record<string, readonly [rc: number, section: string, text: string]>> = {
  ping: [0, 'ping', FACTS],
  units: [0, 'unit.main', UNIT],
}

function ended(code: number, stdout: string): BoxRun {
  return { stdout, end: { how: 'exited', code } }
}
