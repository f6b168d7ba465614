import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { objectKeys } from '@uprez/storage/object-keys';
import { openDiskStorage } from '@uprez/storage/open-disk-storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeStorage } from './storage-suite.ts';

const newDataDir = () => mkdtemp(join(tmpdir(), 'uprez-disk-'));

describeStorage('disk', {
  overwritesAtomically: true,
  open: async () => {
    const dataDir = await newDataDir();
    const storage = openDiskStorage({ dataDir });
    await storage.ensure();
    return {
      storage,
      damage: (key, bytes) => writeFile(join(dataDir, 'objects', key), bytes),
      leftovers: () => readdir(join(dataDir, 'objects', '.tmp')),
      close: () => rm(dataDir, { recursive: true }),
    };
  },
});

describe('the data folder', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await newDataDir();
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('keeps the ID from its setup', async () => {
    const storage = openDiskStorage({ dataDir });
    const { id } = await storage.ensure();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await storage.ensure()).toEqual({ id, expiresStaleUploads: false });
    await storage.check(id);
  });

  it('is not ready when it has another ID or none', async () => {
    const storage = openDiskStorage({ dataDir });
    await expect(storage.check(undefined)).rejects.toMatchObject({ code: 'service_unavailable' });
    const { id } = await storage.ensure();
    await expect(storage.check(undefined)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(storage.check(randomUUID())).rejects.toMatchObject({ code: 'service_unavailable' });
    await writeFile(join(dataDir, 'objects', '.id'), 'other');
    await expect(storage.check(id)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('returns service_unavailable when it was not set up', async () => {
    const storage = openDiskStorage({ dataDir });
    const put = storage.put(objectKeys.upload(randomUUID()), Readable.from([Buffer.from('x')]));
    await expect(put).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('deletes the folder of a job with its last object', async () => {
    const storage = openDiskStorage({ dataDir });
    await storage.ensure();
    const [one, two] = [objectKeys.result('job', 1), objectKeys.result('job', 2)];
    for (const key of [one, two]) await storage.put(key, Readable.from([Buffer.from('x')]));
    await storage.deleteMany([one]);
    expect(await readdir(join(dataDir, 'objects', 'results'))).toEqual(['job']);
    await storage.deleteMany([two]);
    expect(await readdir(join(dataDir, 'objects', 'results'))).toEqual([]);
  });
});
