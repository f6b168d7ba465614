import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProcess } from '../src/find-process.ts';
import { openPostgres } from '../src/open-postgres.ts';
import { openRedis, withRedis } from '../src/open-redis.ts';
import { superviseServer } from '../src/product/open-backing.ts';
import { binDir, makeFolder, password } from './helpers.ts';

/** Collects what a supervisor reports. */
function makeEvents(backoffMs = 5) {
  const lines: string[] = [];
  const errors: string[] = [];
  const onLine = (_name: string, line: string) => lines.push(line);
  const onFailure = (error: Error) => errors.push(error.message);
  return { lines, errors, options: { onLine, onFailure, backoffMs } };
}

/** A server that exits when the test says so. `failures`: of the next starts. */
async function superviseFake(failures = 0, backoffMs = 5) {
  const events = makeEvents(backoffMs);
  const state = { starts: 0, stops: 0, failures, exit: (_ending: string) => {} };
  const server = {
    start: async () => {
      state.starts += 1;
      if (state.failures-- > 0) throw new Error('the port is in use');
    },
    stop: async () => {
      state.stops += 1;
    },
  };
  const open = async (onUnexpectedExit: (ending: string) => void) => {
    state.exit = onUnexpectedExit;
    return server;
  };
  const { stop } = await superviseServer('Server', open, events.options);
  return { ...events, state, stop };
}

describe('superviseServer', () => {
  it('starts a server again when it exits, and when a restart fails', async () => {
    const { lines, errors, state } = await superviseFake(1);
    state.exit('SIGKILL');
    await expect.poll(() => state.starts).toBe(2);
    await expect.poll(() => lines).toHaveLength(3);
    expect(lines).toEqual([
      'exited with SIGKILL, restarting in 0.005 s',
      'exited with the port is in use, restarting in 0.01 s',
      'running again',
    ]);
    expect(errors).toEqual([]);
  });

  it('fails after five exits within a minute', async () => {
    const { errors, state } = await superviseFake(9, 1);
    state.exit('code 1');
    await expect
      .poll(() => errors)
      .toEqual(['Server exited 5 times within a minute, most recently with the port is in use']);
    expect(state.starts).toBe(4);
  });

  it('does not start a server that is stopped during the delay', async () => {
    const { state, stop } = await superviseFake(0, 60_000);
    state.exit('SIGKILL');
    await stop();
    expect([state.starts, state.stops]).toEqual([0, 1]);
  });

  it('restarts PostgreSQL and Redis after kill -9 on the same port with their data', async () => {
    const folder = makeFolder();
    const { errors, options } = makeEvents();
    const postgres = await superviseServer(
      'PostgreSQL',
      (onUnexpectedExit) =>
        openPostgres({ dataDir: join(folder, 'postgres'), password, fsync: false, onUnexpectedExit }),
      options,
    );
    onTestFinished(postgres.stop);
    const redis = await superviseServer(
      'Redis',
      (onUnexpectedExit) => openRedis({ dataDir: join(folder, 'redis'), binDir, password, onUnexpectedExit }),
      options,
    );
    onTestFinished(redis.stop);
    await query(postgres.server.url, 'create table kept (id int); insert into kept values (7)');
    await withRedis(redis.server.url, async (client) => {
      await client.config('SET', 'appendfsync', 'always');
      await client.set('key', 'kept');
    });
    const pids = [
      Number.parseInt(readFileSync(join(postgres.server.dataDir, 'postmaster.pid'), 'utf8'), 10),
      Number.parseInt(readFileSync(join(folder, 'redis/redis.pid'), 'utf8'), 10),
    ];
    expect(pids).toEqual([postgres.server.pid, redis.server.pid]);
    for (const pid of pids) process.kill(pid, 'SIGKILL');

    const isBack = { timeout: 20_000 };
    const read = () => query(postgres.server.url, 'select id from kept').catch(String);
    await expect.poll(read, isBack).toEqual([{ id: 7 }]);
    await expect
      .poll(() => withRedis(redis.server.url, (client) => client.get('key')).catch(String), isBack)
      .toBe('kept');
    expect(pids.map(findProcess)).toEqual([undefined, undefined]);
    expect(errors).toEqual([]);
  });
});

async function query(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  // The server may end the connection between calls.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
