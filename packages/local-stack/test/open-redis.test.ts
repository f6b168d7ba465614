import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findProcess } from '../src/find-process.ts';
import { openRedis, withRedis } from '../src/open-redis.ts';
import { binDir, makeFolder, password, spawnStarter } from './helpers.ts';

const optionsIn = (folder: string) => ({ dataDir: join(folder, 'redis'), binDir, password });

async function open(folder: string) {
  const redis = await openRedis(optionsIn(folder));
  onTestFinished(() => redis.stop());
  return redis;
}

const read = (url: string) => withRedis(url, (client) => client.get('key'));

describe('openRedis', () => {
  it('uses an append-only file, no eviction, and a password', async () => {
    const { url } = await open(makeFolder());
    const settings = await withRedis(url, async (client) => [
      await client.config('GET', 'appendonly'),
      await client.config('GET', 'maxmemory-policy'),
      await client.config('GET', 'bind'),
    ]);
    expect(settings.flat()).toEqual(['appendonly', 'yes', 'maxmemory-policy', 'noeviction', 'bind', '127.0.0.1']);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('PING\r\n');
    const [response] = await once(socket, 'data');
    socket.destroy();
    expect(String(response)).toMatch(/^-NOAUTH/);
  });

  it('keeps its data when it is stopped and opened again', async () => {
    const folder = makeFolder();
    const first = await openRedis(optionsIn(folder));
    await withRedis(first.url, (client) => client.set('key', 'kept'));
    await first.stop();
    expect(await read((await open(folder)).url)).toBe('kept');
  });

  it('starts on the same port after kill -9, with its data or emptied', async () => {
    const redis = await open(makeFolder());
    const { url, pid } = redis;
    await withRedis(url, async (client) => {
      await client.config('SET', 'appendfsync', 'always');
      await client.set('key', 'kept');
    });
    await redis.kill('SIGKILL');
    await expect(read(url)).rejects.toThrow();
    await redis.start();
    expect(redis.pid).not.toBe(pid);
    expect(await read(url)).toBe('kept');

    await redis.empty();
    expect(await read(url)).toBeNull();

    await withRedis(url, (client) => client.set('key', 'again'));
    await redis.kill('SIGKILL');
    await redis.empty();
    await redis.start();
    expect(await read(url)).toBeNull();
  });

  it('rejects data that a running starter holds, and stops the server of a killed starter', async () => {
    const folder = makeFolder();
    const { output, kill } = await spawnStarter('redis', folder);
    await expect(openRedis(optionsIn(folder))).rejects.toThrow(`in use by process ${output.starter}`);
    await withRedis(output.url, (client) => client.set('key', 'kept'));
    await kill();
    expect(findProcess(output.pid)).toBeDefined();
    const redis = await open(folder);
    expect(findProcess(output.pid)).toBeUndefined();
    expect(await read(redis.url)).toBe('kept');
  });
});
