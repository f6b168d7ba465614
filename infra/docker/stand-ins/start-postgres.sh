#!/bin/sh
# Creates the cluster and the database at the first start, as the official image does, and starts the server.
set -eu
data=/var/lib/postgresql/18/docker
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
mkdir -p "$data" && chown -R postgres: /var/lib/postgresql && chmod 700 "$data"
if [ ! -s "$data/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" > /tmp/password && chown postgres: /tmp/password
  as_postgres /opt/postgres/bin/initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  printf 'CREATE DATABASE %s;\n' "$POSTGRES_DB" | as_postgres /opt/postgres/bin/postgres --single -D "$data" postgres
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups \
  /opt/postgres/bin/postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=
