import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestProduct } from '@uprez/testing/products/start-test-product';

/** Files of the product, MB: stored ones, and those being received or processed, also if they have no name. */
export type Disk = { storedMb: number; temporaryMb: number };

type Product = Pick<TestProduct, 'env' | 'services'>;

const missing = () => undefined; // It was deleted since the folder was read.

const sizeOf = async (file: string): Promise<number> => (await fs.stat(file).catch(missing))?.size ?? 0;

async function sum<T>(items: readonly T[], bytesOf: (item: T) => Promise<number>): Promise<number> {
  return (await Promise.all(items.map(bytesOf))).reduce((total, bytes) => total + bytes, 0);
}

async function folderBytes(folder: string, except?: string): Promise<number> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return sum(entries, async (entry) => {
    const at = path.join(folder, entry.name);
    if (at === except) return 0;
    return entry.isDirectory() ? folderBytes(at, except) : sizeOf(at);
  });
}

/** Bytes of open files that are deleted, which is how spool files disappear with their process. */
async function namelessBytes(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const names = await fs.readdir(folder).catch((): string[] => []);
  return sum(names, async (name) => {
    const target = await fs.readlink(`${folder}/${name}`).catch(missing);
    return target?.endsWith(' (deleted)') ? sizeOf(`${folder}/${name}`) : 0;
  });
}

/** Linux only. */
export async function readDisk({ env, services }: Product): Promise<Disk> {
  const objects = path.join(env.DATA_DIR ?? '', 'objects');
  const received = path.join(objects, '.tmp');
  const temporary = await Promise.all([
    ...[received, env.TMPDIR ?? '', env.JOB_DIR ?? ''].map((folder) => folderBytes(folder)),
    ...services.map(({ pid }) => namelessBytes(pid)),
  ]);
  return {
    storedMb: (await folderBytes(objects, received)) / 1e6,
    temporaryMb: temporary.reduce((total, bytes) => total + bytes, 0) / 1e6,
  };
}

const everyMs = 250;

/** Records the highest values until `stop`, which resolves with them. */
export function watchDisk(product: Product) {
  const stopped = new AbortController();
  const watched = (async () => {
    const peak = await readDisk(product);
    while (!stopped.signal.aborted) {
      await delay(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
      const now = await readDisk(product);
      peak.storedMb = Math.max(peak.storedMb, now.storedMb);
      peak.temporaryMb = Math.max(peak.temporaryMb, now.temporaryMb);
    }
    return peak;
  })();
  return {
    stop: () => {
      stopped.abort();
      return watched;
    },
  };
}
