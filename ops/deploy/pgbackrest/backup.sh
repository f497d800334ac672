#!/bin/sh
# Makes a physical backup and notes it in the database, where /metrics and the admin's overview look. As postgres, from
# a timer: `backup.sh full` once a week, `backup.sh incr` every day. Arguments after the first go to pgbackrest, DATABASE names the database.
set -eu
type="${1:-incr}"
[ $# -gt 0 ] && shift
database="${DATABASE:-snapswipe}"
started="$(date -u +%Y-%m-%dT%H:%M:%SZ)"
note() {
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --dbname "$database" --set started="$started" --set label="$1" --set error="$2" <<'SQL'
INSERT INTO backups (kind, started_at, finished_at, checksum, error)
VALUES ('physical', :'started', now(), nullif(:'label', ''), nullif(:'error', ''));
SQL
}
if pgbackrest --stanza=snapswipe --type="$type" "$@" backup; then
  label="$(pgbackrest --stanza=snapswipe "$@" info | sed -n 's/^ *\(full\|diff\|incr\) backup: //p' | tail -n 1)"
  note "$label" ''
else
  note '' "pgbackrest --type=$type failed"
  exit 1
fi
