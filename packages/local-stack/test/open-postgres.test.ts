import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProcess } from '../src/find-process.ts';
import { openPostgres } from '../src/open-postgres.ts';
import { makeFolder, password, spawnStarter } from './helpers.ts';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const optionsIn = (folder: string) => ({ dataDir: join(folder, 'postgres'), password, fsync: false });

async function open(folder: string) {
  const postgres = await openPostgres(optionsIn(folder));
  onTestFinished(() => postgres.stop());
  return postgres;
}

describe('openPostgres', () => {
  it('keeps its data when opened again, sorts by code point, handles Unicode, and listens on loopback only', async () => {
    const folder = makeFolder();
    const first = await openPostgres(optionsIn(folder));
    await query(first.url, 'create table kept (id int); insert into kept values (7)');
    const settings = "select current_setting('listen_addresses') as address, lower('ÄÖ') as lower, 'B' < 'a' as sorted";
    expect(await query(first.url, settings)).toEqual([{ address: '127.0.0.1', lower: 'äö', sorted: true }]);
    await first.stop();
    expect(findProcess(first.pid)).toBeUndefined();

    const second = await open(folder);
    expect(await query(second.url, 'select id from kept')).toEqual([{ id: 7 }]);
  });

  it('rejects a wrong password', async () => {
    const { url } = await open(makeFolder());
    await expect(query(url.replace(password, 'wrong'), 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  it('throws when the data were created with another password, and stops the server', async () => {
    const folder = makeFolder();
    await (await openPostgres(optionsIn(folder))).stop();
    await expect(openPostgres({ ...optionsIn(folder), password: 'q'.repeat(32) })).rejects.toThrow(
      /created with another password/,
    );
    await open(folder);
  });

  it('starts on the same port with its data after kill -9 and after an immediate restart', async () => {
    const postgres = await open(makeFolder());
    const { url, pid } = postgres;
    await query(url, 'create table kept (id int); insert into kept values (1)');
    const busy = new pg.Client({ connectionString: url });
    busy.on('error', () => undefined);
    await busy.connect();
    const cut = expect(busy.query('select pg_sleep(60)')).rejects.toThrow();

    await postgres.kill('SIGKILL');
    expect(postgres.running).toBe(false);
    await expect(query(url, 'select 1')).rejects.toThrow();
    await postgres.start();
    await cut;
    expect(postgres.url).toBe(url);
    expect(postgres.pid).not.toBe(pid);
    await postgres.restartImmediate();
    expect(await query(url, 'select id from kept')).toEqual([{ id: 1 }]);
    expect(readFileSync(`${postgres.dataDir}.log`, 'utf8')).toContain('automatic recovery in progress');
  });

  it('reports an unexpected exit only', async () => {
    const endings: string[] = [];
    const onUnexpectedExit = (ending: string) => endings.push(ending);
    const postgres = await openPostgres({ ...optionsIn(makeFolder()), onUnexpectedExit });
    onTestFinished(() => postgres.stop());
    await postgres.kill('SIGKILL');
    await postgres.start();
    expect(endings).toEqual([]);
    process.kill(postgres.pid, 'SIGKILL');
    await expect.poll(() => endings).toEqual(['SIGKILL']);
  });

  it('rejects data that a running starter holds, and stops the server of a killed starter', async () => {
    const folder = makeFolder();
    const { output, kill } = await spawnStarter('postgres', folder);
    await expect(openPostgres(optionsIn(folder))).rejects.toThrow(`in use by process ${output.starter}`);
    await query(output.url, 'create table kept (id int)');

    await kill();
    expect(findProcess(output.pid)).toBeDefined();
    const postgres = await open(folder);
    expect(findProcess(output.pid)).toBeUndefined();
    expect(await query(postgres.url, 'select * from kept')).toEqual([]);
  });
});
