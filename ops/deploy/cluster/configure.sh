#!/bin/sh
# Writes the configuration of one machine of the cluster from the files beside this script (docs/operate/cluster.md).
#   sh configure.sh new 10.0.0.1 10.0.0.2 10.0.0.3 > cluster.env   once: addresses and fresh passwords, the same on all machines
#   sh configure.sh install 1 cluster.env [folder]                 on machine 1: below /, or below a folder to look at first
set -eu
umask 027
here=$(cd "$(dirname "$0")" && pwd)

new() {
  [ $# -eq 3 ] || { echo 'three addresses are needed: three machines, so that two agree when one is gone' >&2; exit 1; }
  i=1
  for address in "$@"; do echo "ADDRESS_$i=$address"; i=$((i + 1)); done
  for name in DATABASE SUPERUSER REPLICATION REWIND API; do
    echo "${name}_PASSWORD=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
  done
}

# render <template> <file below the target> <mode> [<owner where this is root and writes below />]
render() {
  mkdir -p "$(dirname "$target/$2")"
  text=$(sed -f "$rules" "$here/$1")
  if unknown=$(printf '%s\n' "$text" | grep -o '@[A-Z0-9_]*@'); then echo "$1: nothing is set for $unknown" >&2; exit 1; fi
  printf '%s\n' "$text" > "$target/$2"
  chmod "$3" "$target/$2"
  if [ -z "$target" ] && [ -n "${4:-}" ]; then chown "$4" "/$2"; fi
}

install() {
  MACHINE=$1
  settings=$2
  target=${3:-}
  target=${target%/}
  LOCAL=127.0.0.1
  CLIENTS=127.0.0.1/32
  VERSION=15
  BIN_DIR=/usr/lib/postgresql/15/bin
  DATA_DIR=/var/lib/postgresql/15/snapswipe
  ETCD_DATA_DIR=/var/lib/etcd/snapswipe
  CONF=/etc
  RUN=/run
  WATCHDOG=automatic
  . "$settings"
  eval "ADDRESS=\$ADDRESS_$MACHINE"
  rules=$(mktemp)
  trap 'rm -f "$rules"' EXIT
  for name in MACHINE ADDRESS ADDRESS_1 ADDRESS_2 ADDRESS_3 LOCAL CLIENTS BIN_DIR DATA_DIR ETCD_DATA_DIR CONF RUN WATCHDOG \
    DATABASE_PASSWORD SUPERUSER_PASSWORD REPLICATION_PASSWORD REWIND_PASSWORD API_PASSWORD; do
    eval "value=\$$name"
    case $value in *[\|\&\\]*) echo "$name may not contain | & or \\" >&2; exit 1 ;; esac
    echo "s|@$name@|$value|g" >> "$rules"
  done
  render etcd.env etc/default/etcd 640 root:etcd
  render patroni.yml etc/patroni/config.yml 640 root:postgres
  render bootstrap.sql etc/patroni/bootstrap.sql 640 root:postgres
  render pgbouncer.ini etc/pgbouncer/pgbouncer.ini 640 root:postgres
  render userlist.txt etc/pgbouncer/userlist.txt 640 root:postgres
  render haproxy.cfg etc/haproxy/haproxy.cfg 644
  render snapswipe.env etc/snapswipe/cluster.env 640
  for unit in etcd patroni pgbouncer haproxy; do
    render restart.conf "etc/systemd/system/$unit.service.d/restart.conf" 644
  done
}

command=${1:-}
case $command in
  new) shift; new "$@" ;;
  install) shift; install "$@" ;;
  *) sed -n 's/^#  //p' "$0"; exit 1 ;;
esac
