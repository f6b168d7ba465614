import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { AppError } from '@uprez/contracts/errors/app-error';
import { objectKeys } from '@uprez/storage/object-keys';
import type { ListedObject, Storage } from '@uprez/storage/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** An opened storage with access to its files. */
export type StorageUnderTest = {
  storage: Storage;
  /** Replaces the bytes of an object, as a defective store might. */
  damage(key: string, bytes: Buffer): Promise<unknown>;
  /** Returns the names of what unfinished uploads have left. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
};

export type SuiteOptions = {
  open: () => Promise<StorageUnderTest>;
  /** False for s3rver, which overwrites in place. S3 itself overwrites atomically. */
  overwritesAtomically: boolean;
};

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const newKey = () => objectKeys.upload(randomUUID());
const mebibyte = 1024 * 1024;

/** Returns a stream in chunks whose size matches no boundary of the storage. */
function streamOf(bytes: Buffer, pieceBytes = 65_521): Readable {
  return Readable.from(pieces(bytes, pieceBytes), { objectMode: false });
}

function* pieces(bytes: Buffer, pieceBytes: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

async function listAll(storage: Storage, prefix: string): Promise<ListedObject[]> {
  const found: ListedObject[] = [];
  for await (const object of storage.list(prefix)) found.push(object);
  return found;
}

/** Tests the behavior of every storage. Called by `disk.test.ts`, `s3.test.ts`, and `external-s3.test.ts`. */
export function describeStorage(name: string, { open, overwritesAtomically }: SuiteOptions): void {
  describe(`storage on ${name}`, () => {
    let opened: StorageUnderTest;
    let storage: Storage;
    beforeAll(async () => {
      opened = await open();
      storage = opened.storage;
    });
    afterAll(() => opened.close());
    const read = async (key: string) => buffer((await storage.get(key)).stream);

    it.each([0, 1, 100_000, 5 * mebibyte - 1, 5 * mebibyte, 5 * mebibyte + 1, 12 * mebibyte])(
      'stores a stream of %i bytes and returns it unchanged',
      async (size) => {
        const key = newKey();
        const bytes = randomBytes(size);
        expect(await storage.put(key, streamOf(bytes))).toEqual({ sizeBytes: size, sha256: sha256(bytes) });
        const got = await storage.get(key, { sha256: sha256(bytes) });
        expect([got.sizeBytes, got.lengthBytes]).toEqual([size, size]);
        expect((await buffer(got.stream)).equals(bytes)).toBe(true);
        expect(await storage.head(key)).toMatchObject({ sizeBytes: size });
        expect(await opened.leftovers()).toEqual([]);
      },
    );

    it('returns byte ranges', async () => {
      const key = newKey();
      const bytes = randomBytes(200_000);
      await storage.put(key, streamOf(bytes));
      const rangeOf = async (range: { start: number; end?: number }) => {
        const got = await storage.get(key, { range });
        const part = await buffer(got.stream);
        expect([got.sizeBytes, got.lengthBytes]).toEqual([bytes.length, part.length]);
        return part;
      };
      expect((await rangeOf({ start: 0, end: 9 })).equals(bytes.subarray(0, 10))).toBe(true);
      expect((await rangeOf({ start: 70_000, end: 139_999 })).equals(bytes.subarray(70_000, 140_000))).toBe(true);
      expect((await rangeOf({ start: 199_999 })).equals(bytes.subarray(199_999))).toBe(true);
      expect((await rangeOf({ start: 199_990, end: 10_000_000 })).equals(bytes.subarray(199_990))).toBe(true);
      await expect(storage.get(key, { range: { start: 200_000 } })).rejects.toMatchObject({
        code: 'invalid_parameter',
      });
    });

    it('returns undefined or not_found for a missing object', async () => {
      const key = newKey();
      expect(await storage.head(key)).toBeUndefined();
      await expect(storage.get(key)).rejects.toMatchObject({ code: 'not_found' });
      await expect(storage.get(key)).rejects.toBeInstanceOf(AppError);
    });

    it('rejects invalid keys', async () => {
      const bad = [
        '',
        '/',
        '../x',
        'uploads/../x',
        'uploads//x',
        'Uploads/x',
        'uploads/x.png',
        '/etc',
        'uploads/é',
        '.id',
      ];
      for (const key of bad) {
        await expect(storage.put(key, streamOf(Buffer.from('x'))), key).rejects.toThrow('Not an object key');
        await expect(storage.get(key), key).rejects.toThrow('Not an object key');
        await expect(storage.head(key), key).rejects.toThrow('Not an object key');
        await expect(storage.deleteMany([key]), key).rejects.toThrow('Not an object key');
      }
      expect(() => storage.list('../')).toThrow('Not a key prefix');
    });

    it('overwrites an object', async () => {
      const key = newKey();
      await storage.put(key, streamOf(randomBytes(6 * mebibyte)));
      await storage.put(key, streamOf(Buffer.from('second')));
      expect((await read(key)).toString()).toBe('second');
    });

    if (overwritesAtomically)
      it('never returns mixed bytes during concurrent overwrites', async () => {
        const key = newKey();
        const versions = Array.from({ length: 8 }, (_, index) => Buffer.alloc(mebibyte, index + 1));
        await storage.put(key, streamOf(versions[0] as Buffer));
        const reads: Buffer[] = [];
        let writing = true;
        const reader = async () => {
          while (writing) reads.push(await read(key));
        };
        const readers = [reader(), reader()];
        await Promise.all(versions.map((bytes) => storage.put(key, streamOf(bytes, 10_000))));
        writing = false;
        await Promise.all(readers);
        expect(reads.length).toBeGreaterThan(0);
        for (const got of [...reads, await read(key)]) expect(got.equals(Buffer.alloc(mebibyte, got[0]))).toBe(true);
        expect(await opened.leftovers()).toEqual([]);
      });

    it('rejects a stream over maxBytes immediately and leaves the source open', async () => {
      for (const limit of [1000, 6 * mebibyte]) {
        const key = newKey();
        const source = new PassThrough();
        const stored = storage.put(key, source, { maxBytes: limit });
        source.write(Buffer.alloc(limit));
        source.write(Buffer.alloc(1));
        await expect(stored).rejects.toMatchObject({ code: 'file_too_large' }); // though the source never ends
        expect(source.destroyed).toBe(false);
        expect(await storage.head(key)).toBeUndefined();
      }
      expect(await opened.leftovers()).toEqual([]);
      const exact = newKey();
      expect(await storage.put(exact, streamOf(Buffer.alloc(1000)), { maxBytes: 1000 })).toMatchObject({
        sizeBytes: 1000,
      });
    });

    it.each([100_000, 7 * mebibyte])('leaves nothing when the upload is aborted after %i bytes', async (sent) => {
      const key = newKey();
      const source = new PassThrough({ highWaterMark: 0 });
      const leaving = new Error('client left');
      const controller = new AbortController();
      const stored = storage.put(key, source, { signal: controller.signal });
      const outcome = expect(stored).rejects.toBe(leaving);
      if (!source.write(Buffer.alloc(sent))) await once(source, 'drain');
      controller.abort(leaving);
      await outcome;
      expect(await storage.head(key)).toBeUndefined();
      expect(await opened.leftovers()).toEqual([]);
    });

    it.each([100_000, 7 * mebibyte])('leaves nothing when the source fails after %i bytes', async (sent) => {
      const key = newKey();
      const source = new PassThrough({ highWaterMark: 0 });
      const outcome = expect(storage.put(key, source)).rejects.toThrow('connection lost');
      if (!source.write(Buffer.alloc(sent))) await once(source, 'drain');
      source.destroy(new Error('connection lost'));
      await outcome;
      expect(await storage.head(key)).toBeUndefined();
      expect(await opened.leftovers()).toEqual([]);
    });

    it('keeps the old object when an overwrite is aborted', async () => {
      const key = newKey();
      await storage.put(key, streamOf(Buffer.from('old')));
      const source = new PassThrough();
      const controller = new AbortController();
      const outcome = expect(storage.put(key, source, { signal: controller.signal })).rejects.toThrow();
      source.write(Buffer.alloc(1000));
      controller.abort();
      await outcome;
      expect((await read(key)).toString()).toBe('old');
    });

    it.each([300, 300_000])(
      'throws when reading an object of %i bytes with changed or truncated bytes',
      async (size) => {
        const bytes = randomBytes(size);
        const key = newKey();
        await storage.put(key, streamOf(bytes));
        const whole = async () => buffer((await storage.get(key, { sha256: sha256(bytes) })).stream);
        expect((await whole()).equals(bytes)).toBe(true);
        await opened.damage(key, bytes.subarray(0, size / 2));
        await expect(whole()).rejects.toMatchObject({ code: 'service_unavailable' });
        await opened.damage(key, Buffer.concat([bytes.subarray(1), Buffer.from('x')]));
        await expect(whole()).rejects.toMatchObject({ code: 'service_unavailable' });
      },
    );

    it('stops reading when aborted', async () => {
      const key = newKey();
      await storage.put(key, streamOf(randomBytes(2 * mebibyte)));
      const controller = new AbortController();
      const { stream } = await storage.get(key, { signal: controller.signal });
      const reason = new Error('enough');
      const outcome = expect(
        (async () => {
          for await (const _ of stream) controller.abort(reason);
        })(),
      ).rejects.toBe(reason);
      await outcome;
      await expect(storage.get(key, { signal: controller.signal })).rejects.toBe(reason);
    });

    it('allows a read to be stopped before its end', async () => {
      const key = newKey();
      await storage.put(key, streamOf(randomBytes(2 * mebibyte)));
      const { stream } = await storage.get(key);
      stream.destroy();
      const { stream: second } = await storage.get(key);
      for await (const _ of second) break;
      expect(second.destroyed).toBe(true);
      expect((await read(key)).length).toBe(2 * mebibyte);
    });

    it('lists more than one page by prefix, and deletes many objects', async () => {
      const [jobA, jobB] = [randomUUID(), randomUUID()];
      const keys = Array.from({ length: 1050 }, (_, attempt) => objectKeys.result(jobA, attempt));
      for (let start = 0; start < keys.length; start += 50) {
        await Promise.all(keys.slice(start, start + 50).map((key) => storage.put(key, streamOf(Buffer.from(key)))));
      }
      await storage.put(objectKeys.result(jobB, 1), streamOf(Buffer.from('b')));
      await storage.put(objectKeys.thumbnail(jobA, 1), streamOf(Buffer.from('t')));
      const listed = await listAll(storage, `results/${jobA}/`);
      expect(listed.map(({ key }) => key).sort()).toEqual([...keys].sort());
      for (const { key, sizeBytes } of listed) expect(sizeBytes).toBe(key.length);
      expect(Math.abs((listed[0]?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      expect((await listAll(storage, 'results/')).length).toBe(1051);
      expect((await listAll(storage, `results/${jobB.slice(0, 7)}`)).map(({ key }) => key)).toEqual([
        objectKeys.result(jobB, 1),
      ]);
      expect(await listAll(storage, 'nothing/')).toEqual([]);
      await storage.deleteMany([...keys, newKey()]);
      expect((await listAll(storage, '')).map(({ key }) => key)).not.toContain(keys[0]);
      expect((await listAll(storage, 'results/')).length).toBe(1);
      expect((await listAll(storage, 'thumbnails/')).length).toBe(1);
      await storage.deleteMany([]);
    }, 300_000);

    it('puts and deletes objects concurrently in one folder', async () => {
      const job = randomUUID();
      const rounds = Array.from({ length: 40 }, async (_, attempt) => {
        const key = objectKeys.result(job, attempt);
        await storage.put(key, streamOf(Buffer.from('x')));
        await storage.deleteMany([key]);
      });
      await Promise.all(rounds);
      expect(await listAll(storage, `results/${job}/`)).toEqual([]);
    });

    it('aborts unfinished uploads by age', async () => {
      const source = new PassThrough({ highWaterMark: 0 });
      const controller = new AbortController();
      const outcome = expect(storage.put(newKey(), source, { signal: controller.signal })).rejects.toThrow();
      if (!source.write(Buffer.alloc(7 * mebibyte))) await once(source, 'drain');
      expect((await opened.leftovers()).length).toBe(1);
      expect(await storage.abortStaleUploads(new Date(Date.now() - 60_000))).toBe(0);
      expect((await opened.leftovers()).length).toBe(1);
      expect(await storage.abortStaleUploads(new Date(Date.now() + 60_000))).toBe(1);
      expect(await opened.leftovers()).toEqual([]);
      controller.abort();
      await outcome;
    });
  });
}
