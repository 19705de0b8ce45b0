/** A way into a host beside the verbs. On the account as it is shipped all of them are shut. */
export const DOORS = {
  shell: 'a shell',
  command: 'a command of our choice',
  terminal: 'a terminal',
  sftp: 'file transfer (sftp)',
  ports: 'other ports (permitopen)',
  sockets: 'unix sockets',
  listening: 'listening there (-R)',
  listeningSockets: 'listening on unix sockets there (-R)',
} as const

export type DoorName = keyof typeof DOORS

/** What was found when a door was tried. */
export interface Door {
  readonly name: DoorName
  /** `unknown`: no answer in time */
  readonly state: 'shut' | 'open' | 'unknown'
}
