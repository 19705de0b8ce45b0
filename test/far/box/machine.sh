#!/bin/sh
# A machine of its own over a throw-away overlay of /: real systemd as PID 1 in namespaces. Needs root.
#   machine.sh disk BOX                           keeps the overlay in its mount namespace until it is killed
#   machine.sh boot BOX CGROUP NETWORK FOLDER...  in that namespace; NETWORK is own or shared; shows the FOLDERs read-only
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin

disk() {
  mount -t tmpfs -o mode=755 pilotflame-box "$1/disk"
  cd "$1/disk"
  mkdir upper work root
  mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
  cd root
  # what starts in the box is linked from its own /etc alone: nothing that this machine has enabled, no default of a package
  rm -rf etc/systemd/system etc/systemd/user etc/fstab etc/sudoers.d etc/ssh/sshd_config* etc/ssh/ssh_host_* var/log/journal \
    usr/lib/systemd/system-generators usr/lib/systemd/system/*.wants usr/share/dbus-1/system-services \
    etc/pilotflame var/lib/pilotflame usr/local/sbin/pilotflame-gate
  mkdir -m 755 etc/systemd/system etc/sudoers.d etc/ssh/sshd_config.d
  : >etc/machine-id
  : >"$1/ready"
  exec sleep infinity
}

boot() {
  echo $$ >"$2/cgroup.procs"
  network=
  if [ "$3" = own ]; then network=--net; fi
  # shellcheck disable=SC2086
  exec unshare --mount --pid --fork --uts --ipc --cgroup $network --kill-child --propagation private "$0" up "$@"
}

up() {
  cd "$1/disk/root"
  shift 3
  hostname "$(cat etc/hostname)"
  for folder; do
    mkdir -p ".$folder"
    mount --bind -o ro "$folder" ".$folder"
  done
  mount -t proc proc proc
  mount -t sysfs -o ro sysfs sys
  mount -t tmpfs tmpfs sys/fs/cgroup
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  mount -t tmpfs -o mode=755 tmpfs run
  # the group reads the journal
  mkdir -p run/log/journal
  chgrp systemd-journal run/log/journal
  chmod 2755 run/log/journal
  devices
  mkdir -p .old
  pivot_root . .old
  # shellcheck disable=SC2016
  exec chroot . /bin/sh -c 'umount -l /.old; rmdir /.old; ip link set lo up
    exec env -i container=pilotflame /lib/systemd/systemd --system --log-target=journal-or-kmsg --show-status=0'
}

devices() {
  mount -t tmpfs -o mode=755 tmpfs dev
  for one in null zero full random urandom tty; do
    : >dev/$one
    mount --bind /dev/$one dev/$one
  done
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
  mount -t tmpfs -o mode=1777 tmpfs dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
}

"$@"
