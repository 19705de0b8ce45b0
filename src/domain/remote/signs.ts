import type { FailureKind } from '../failure.ts'

/** What a line of a failed command gives away, whoever wrote it: sudo, a shell, systemd, docker, lxc, the kernel. */
export interface Sign {
  readonly kind: FailureKind
  readonly says: RegExp
  /** true although the exit status may be 0 */
  readonly always?: true
  /** whether it may stand on standard output too */
  readonly anywhere?: true
  readonly observed: string
  readonly next: string
}

const REPAIR =
  "run deploy/host/setup there again: it puts the gate to /usr/local/sbin/pilotflame-gate, root's, mode 755"

/** In the order in which they are tried: who speaks about itself before who is merely spoken of. */
export const SIGNS: readonly Sign[] = [
  {
    kind: 'no-start',
    says: /\/pilotflame-gate\b.{0,80}(?:permission denied|cannot execute|not an executable)|permission denied: \S{0,200}\/pilotflame-gate\b/i,
    observed: 'the forced command of this account is the gate, and the gate may not be run',
    next: REPAIR,
  },
  {
    kind: 'path',
    says: /\/pilotflame-gate\b.{0,80}(?:not found|no such file)|(?:no such file or directory|unknown command): \S{0,200}\/pilotflame-gate\b/i,
    observed: 'the forced command of this account is the gate, and the gate is missing',
    next: REPAIR,
  },
  {
    kind: 'permission',
    says: /permission denied.{0,80}(?:docker|podman|containerd|\.sock\b)|\.sock\b.{0,40}permission denied/i,
    always: true,
    observed: 'this user may not use the socket of the container runtime',
    next: 'put the user into the group of that socket (docker), or give an exact sudo line; the runtime itself may well be up',
  },
  {
    kind: 'container-stopped',
    says: /^(?:[\w '-]{1,60}: ){0,4}(?:the )?(?:container|CT|instance)\b[^:]{0,80}?\b(?:not running|paused|restarting|stopped)\b|^service "\S+" is not running|container state improper|failed to get init pid/i,
    always: true,
    anywhere: true,
    observed: 'the container does not run, so nothing in it can be asked',
    next: 'look at it first (pct status ID, lxc-info -n NAME, docker ps -a), and let its operator start it',
  },
  {
    kind: 'container-stopped',
    says: /cannot connect to (?:the )?(?:docker|podman)|is the docker daemon running|failed to connect to the docker api/i,
    always: true,
    anywhere: true,
    observed: 'the container runtime does not answer, so nothing in its containers can be asked',
    next: 'see on the host whether it runs (systemctl status docker)',
  },
  {
    kind: 'container-exec',
    says: /no such (?:container|instance)|(?:container|instance) not found|no container with name or id|configuration file '\S+\.conf' does not exist|container is not defined|no machine '\S+' known/i,
    always: true,
    anywhere: true,
    observed: 'there is no container of this name',
    next: 'list them (pct list, lxc-ls -f, docker ps -a) and correct the name',
  },
  {
    kind: 'container-exec',
    says: /^(?:lxc-attach|lxc)\b.*(?:failed to exec|insufficient|failed to (?:enter|attach|setns))|failed to exec ["'“‘]|attach_run_command|oci runtime (?:exec|create) failed|exec failed: |executable file .{0,80}not found in \$PATH|^error: command not found/i,
    always: true,
    anywhere: true,
    observed: 'the command could not be started inside the container',
    next: 'use its absolute path, or a login shell inside (… -- bash -lc COMMAND): the PATH there is the one of the caller; else install it in the container. Do not trust the exit status, some releases of lxc give 0',
  },
  {
    kind: 'sudo',
    says: /^sudo(?:-rs)?: .*(?:password|terminal|tty\b|askpass|account|authentication|afraid|no new privileges|owned by uid)|sudoers|^sorry, (?:user|try again)|interactive authentication (?:is )?required|^doas: |^su: |^polkit|error executing command \w+ another user|authentication is required/i,
    observed: 'this user may not do it without a password, and nobody is there to type one',
    next: 'add a NOPASSWD line for exactly this command to sudoers, and call it with sudo -n',
  },
  {
    kind: 'exec-refused',
    says: /^this account is (?:currently )?not available|account (?:is |has )(?:been )?(?:currently )?(?:not available|disabled|locked|restricted|expired)|allows sftp connections only|please log ?in \w+ the user|command (?:is |was )?(?:not allowed|not permitted|rejected|refused|denied)|(?:rejected|disallowed|forbidden) command|not allowed to (?:run|execute)|shell (?:access )?is (?:not enabled|disabled|denied)|^fatal: unrecognized command|restricted: cannot|(?:exec|shell) request failed|password has expired|password change required|required to change your password/i,
    anywhere: true,
    observed: 'the login works, but this account does not run the command',
    next: 'look at the account there: its login shell (getent passwd USER), a ForceCommand in sshd_config, command= in authorized_keys, an expired password',
  },
  {
    kind: 'in-transition',
    says: /system is (?:booting up|going down|shutting down)|unprivileged users are not permitted to log in/i,
    anywhere: true,
    observed: 'the machine is starting or stopping and lets nobody in',
    next: 'wait a minute and ask again; if it stays so, see systemctl list-jobs and /run/nologin there',
  },
  {
    kind: 'nfs-stale',
    says: /stale (?:nfs )?file handle|\bESTALE\b|transport endpoint is not connected/i,
    observed: 'the mount there refers to something that its server has replaced',
    next: 'unmount it and mount it anew (umount -l PATH; mount PATH); engines that hold files of it want a restart',
  },
  {
    kind: 'disk-full',
    says: /no space left on device|disk quota exceeded|\bENOSPC\b/i,
    observed: 'a disk there is full',
    next: 'see which (df -h; df -i), and make room',
  },
  {
    kind: 'no-start',
    says: /cannot execute|exec format error|bad interpreter|wrong ELF class|error while loading shared libraries/i,
    observed: 'the program is there and cannot be started',
    next: 'see what it is (file PATH, ldd PATH): another architecture, a missing interpreter or library',
  },
  {
    kind: 'no-such-unit',
    says: /\bunit \S+ (?:could not be|not) (?:found|loaded)|\bunit \S+ does not exist|unrecognized service/i,
    observed: 'systemd knows no unit of this name',
    next: 'list them (systemctl list-unit-files), and correct the name',
  },
  {
    kind: 'permission',
    says: /permission denied|operation not permitted|access (?:is )?denied|insufficient (?:permissions|privileges)|(?:must be|need to be|only|run (?:this )?as|requires?) (?:run as )?(?:the )?(?:root|superuser)|\bEACCES\b|\bEPERM\b|not seeing messages from other users/i,
    observed: 'this user may not do that there',
    next: 'give it exactly this right: a group (systemd-journal for logs, adm, docker), file modes, or an exact sudo line',
  },
]
