import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { findServerAccount } from '@uprez/local-stack/place-cluster';
import { inheritedEnv, isEveryToolRequired } from '@uprez/testing/config';
import { runSql, withDatabase } from '@uprez/testing/open-test-database';
import { waitUntil } from '@uprez/testing/wait-until';

const run = promisify(execFile);

/**
 * The folder of a PostgreSQL server that is as new as pg_dump, which reads no newer one; the embedded PostgreSQL has no
 * pg_dump. Undefined where it isn't installed. Throws there if all programs are required.
 */
export function findPrograms(): string | undefined {
  const { stdout } = spawnSync('pg_dump', ['--version'], { env: inheritedEnv, encoding: 'utf8' });
  const folder = `/usr/lib/postgresql/${/ (\d+)\./.exec(stdout ?? '')?.[1]}/bin`;
  if (existsSync(path.join(folder, 'initdb'))) return folder;
  if (isEveryToolRequired) throw new Error('CI or REQUIRE_TOOLCHAINS is set, but pg_dump and its server are missing');
  console.warn('left out: the drill of backups, because pg_dump and its server are missing');
  return undefined;
}

/** Starts a private server of these programs. `close` deletes its data. */
export async function openDumpPostgres(programs: string) {
  const account = findServerAccount(undefined);
  const folder = mkdtempSync(path.join(tmpdir(), 'uprez-test-dump-'));
  if (account) chownSync(folder, account.uid, account.gid);
  const options = { ...account, cwd: folder, env: { ...inheritedEnv, LC_ALL: 'C' } };
  const cluster = ['-D', path.join(folder, 'data')];
  await run(path.join(programs, 'initdb'), [...cluster, '-U', 'uprez', '-E', 'UTF8', '-A', 'trust', '-N'], options);
  const port = await findFreePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', `port=${port}`];
  const server = spawn(
    path.join(programs, 'postgres'),
    [...cluster, ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, stdio: 'ignore' },
  );
  const exited = once(server, 'exit');
  const url = `postgres://uprez@127.0.0.1:${port}/postgres`;
  await waitUntil(
    () =>
      runSql(url, 'select 1')
        .then(() => true)
        .catch(() => false),
    { what: 'a PostgreSQL server' },
  );
  return {
    createDatabase: async (name: string) => {
      await runSql(url, `create database ${name}`);
      return withDatabase(url, name);
    },
    dropDatabase: (name: string) => runSql(url, `drop database ${name} with (force)`),
    close: async () => {
      server.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
