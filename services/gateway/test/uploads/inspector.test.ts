import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { probeJail } from '@uprez/runtime/jail';
import { openLogger } from '@uprez/runtime/open-logger';
import { openMetrics } from '@uprez/runtime/open-metrics';
import { openDiskStorage } from '@uprez/storage/open-disk-storage';
import type { Storage } from '@uprez/storage/storage';
import { makeImage } from '@uprez/testing/make-image';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Inspector, openInspector } from '../../src/features/uploads/open-inspector.ts';

/** Ranges read so far, as `key start-end`. */
const reads: string[] = [];
/** Called before each read. */
let onRead: (key: string) => Promise<void> = async () => {};
let dataDir: string;
let storage: Storage;
let inspector: Inspector;
const metrics = openMetrics();
const image = await makeImage({ width: 30, height: 20 });
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'uprez-inspector-test-'));
  storage = openDiskStorage({ dataDir });
  await storage.ensure();
  const get: Storage['get'] = async (key, options) => {
    await onRead(key);
    reads.push(`${key} ${options?.range?.start}-${options?.range?.end}`);
    return storage.get(key, options);
  };
  const logger = openLogger({ service: 'gateway', level: 'silent' });
  inspector = openInspector({ jail: probeJail('auto'), logger, storage: { get }, metrics });
  await expectToWork();
});
beforeEach(() => {
  onRead = async () => {};
});
afterAll(async () => {
  await inspector.close();
  await rm(dataDir, { recursive: true });
});

const inspect = async (file: Buffer, key = 'image') => {
  await storage.put(key, Readable.from([file]));
  return inspector.inspect({ key, sizeBytes: file.length });
};
const expectToWork = async () => expect(await inspect(image)).toMatchObject({ format: 'png', width: 30, height: 20 });

/** The process ID of an inspection child. */
const findChild = () =>
  waitUntil(() => {
    const ids = fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').map(Number);
    const runs = (id: number) => fs.readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('imaging/dist/inspect/child');
    return ids.filter((id) => id > 0).find(runs);
  });

/** Exits of inspection children so far, by reason. */
async function countExits(reason: string): Promise<number> {
  const { body } = await metrics.render();
  return Number(
    new RegExp(`^child_exits_total{child="inspection",reason="${reason}"} (\\d+)$`, 'm').exec(body)?.[1] ?? 0,
  );
}

/** Sends a signal to the child while it inspects `file`, and checks that another child works afterward. */
async function expectCorruptAfter(signal: NodeJS.Signals, file: Buffer): Promise<void> {
  onRead = async () => {
    process.kill(await findChild(), signal);
  };
  await expect(inspect(file)).rejects.toMatchObject({ code: 'corrupt_image' });
  onRead = async () => {};
  await expectToWork();
}

it('throws the error of the storage and continues with another child', async () => {
  onRead = async () => {
    throw new AppError('service_unavailable');
  };
  await expect(inspect(image)).rejects.toMatchObject({ code: 'service_unavailable' });
  onRead = async () => {};
  await expectToWork();
});

it('reads only the header of a large image', async () => {
  const large = await makeImage({ width: 1_500, height: 1_000, format: 'jpeg' });
  expect(large.length).toBeGreaterThan(200_000);
  expect(await inspect(large, 'large')).toMatchObject({ format: 'jpeg', width: 1_500, height: 1_000 });
  expect(reads.filter((read) => read.startsWith('large'))).toEqual(['large 0-65535']);
});

it('throws corrupt_image when the child dies, counts it as crashed, and continues with another', async () => {
  const before = await countExits('processing_crashed');
  await expectCorruptAfter('SIGKILL', image);
  expect(await countExits('processing_crashed')).toBe(before + 1);
});

it('throws corrupt_image and counts a timeout when a child works for more than 2 s, however large the image is', async () => {
  await expectCorruptAfter('SIGSTOP', image);
  await expectCorruptAfter('SIGSTOP', Buffer.alloc(5_000_000, 1));
  expect(await countExits('processing_timeout')).toBe(2);
});

it('replaces a child that dies while it is idle', async () => {
  const child = await findChild();
  process.kill(child, 'SIGKILL');
  await waitUntil(() => !fs.existsSync(`/proc/${child}`));
  await expectToWork();
});

it('inspects several images at once', async () => {
  const keys = ['one', 'two', 'three', 'four'];
  const waiting = new Set<string>();
  const allWait = new Promise<void>((resolve) => {
    onRead = (key) => {
      waiting.add(key);
      if (waiting.size === keys.length) resolve();
      return allWait;
    };
  });
  const inspections = await Promise.all(keys.map((key) => inspect(image, key)));
  expect(inspections.map(({ width }) => width)).toEqual([30, 30, 30, 30]);
});
