#!/bin/sh
# Writes a logical backup of the database: backup.sh FOLDER
# DATABASE_URL names the database; without it, libpq's variables do (PGHOST, PGUSER, PGDATABASE, PGPASSFILE).
# BACKUP_KEEP_DAYS: days after which older backups in the folder are deleted. Unset: never.
# Services may run meanwhile: pg_dump reads one snapshot and blocks no writes. Needs pg_dump of the server's version or newer.
set -eu
umask 077

folder=${1:?"Usage: backup.sh FOLDER"}
database=${DATABASE_URL:-${PGDATABASE:?"Set DATABASE_URL or PGDATABASE."}}
file="$folder/uprez-$(date -u +%Y%m%dT%H%M%SZ).dump"
draft="$file.partial"

mkdir -p "$folder"
trap 'rm -f "$draft"' EXIT
pg_dump --dbname="$database" --format=custom --no-owner --no-privileges --file="$draft"
# Reads the whole table of contents, so that an incomplete file doesn't count as a backup.
pg_restore --list "$draft" > /dev/null
mv "$draft" "$file"
(cd "$folder" && sha256sum "$(basename "$file")" > "$(basename "$file").sha256")

if [ -n "${BACKUP_KEEP_DAYS:-}" ]; then
  find "$folder" -maxdepth 1 -name 'uprez-*.dump*' -mtime "+$BACKUP_KEEP_DAYS" -exec rm -f {} +
fi
echo "$file"
