#!/bin/sh
# Restores a backup of backup.sh into an empty database, completely or not at all: restore.sh FILE
# DATABASE_URL names the database; without it, libpq's variables do (PGHOST, PGUSER, PGDATABASE, PGPASSFILE).
# Refuses a database that has tables, and a file that differs from its checksum.
set -eu

file=${1:?"Usage: restore.sh FILE"}
database=${DATABASE_URL:-${PGDATABASE:?"Set DATABASE_URL or PGDATABASE."}}

if [ -f "$file.sha256" ]; then
  # BusyBox has only the short option.
  (cd "$(dirname "$file")" && sha256sum -c "$(basename "$file").sha256" > /dev/null 2>&1) || {
    echo "$file differs from its checksum in $file.sha256. Use another backup." >&2
    exit 1
  }
fi

tables=$(psql --dbname="$database" --no-psqlrc --tuples-only --no-align --command="
  select count(*) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind in ('r', 'p', 'v', 'm', 'S') and nspname <> 'information_schema' and nspname not like 'pg\\_%'")
if [ "$tables" -ne 0 ]; then
  echo "The database isn't empty ($tables tables and sequences). Create a new database, and restore into that one." >&2
  exit 1
fi

pg_restore --dbname="$database" --no-owner --no-privileges --exit-on-error --single-transaction "$file"
# Without statistics, the first queries would scan whole tables.
psql --dbname="$database" --no-psqlrc --quiet --command=analyze
echo "Restored $file. Run reconcile-files before you start the services (docs/operations/backup.md)."
