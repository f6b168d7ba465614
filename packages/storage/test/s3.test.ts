import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { objectKeys } from '@uprez/storage/object-keys';
import { openS3Storage, type S3StorageOptions } from '@uprez/storage/open-s3-storage';
import { BlockPool } from '@uprez/storage/s3/block-pool';
import { type S3Server, startS3Server } from '@uprez/testing/s3/s3-server';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeStorage } from './storage-suite.ts';

const mebibyte = 1024 * 1024;
const newKey = () => objectKeys.upload(randomUUID());
const endless = () => Readable.from(zeros(Number.POSITIVE_INFINITY), { objectMode: false });
const zerosOf = (bytes: number) => Readable.from(zeros(bytes), { objectMode: false });
function* zeros(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
}
const settingsOf = (server: S3Server, bucket: string): S3StorageOptions => ({
  endpoint: server.endpoint,
  region: 'us-east-1',
  bucket,
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
  forcePathStyle: true,
});

describeStorage('s3', {
  overwritesAtomically: false,
  open: async () => {
    const server = await startS3Server();
    const storage = openS3Storage(settingsOf(server, 'suite'));
    await storage.ensure();
    return {
      storage,
      damage: (key, bytes) => writeFile(server.objectPath('suite', key), bytes),
      leftovers: () => server.openUploads('suite'),
      close: async () => {
        await storage.close();
        await server.close();
      },
    };
  },
});

describe('s3', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
    await openBucket().ensure();
  });
  afterEach(() => server.setFailure(undefined));
  afterAll(() => server.close());
  const openBucket = (options: Partial<S3StorageOptions> = {}) =>
    openS3Storage({ ...settingsOf(server, 'failures'), ...options });

  it('creates the bucket once, also for concurrent calls', async () => {
    const [one, two] = [openBucket({ bucket: 'twice' }), openBucket({ bucket: 'twice' })];
    await expect(one.check(undefined)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(one.head(newKey())).rejects.toMatchObject({ code: 'service_unavailable' });
    await Promise.all([one.ensure(), two.ensure()]);
    await one.check(undefined);
  });

  it('sends small streams as one put and larger ones in parts of 5 MiB', async () => {
    const storage = openBucket();
    const callsOf = async (bytes: number) => {
      const first = server.requests.length;
      await storage.put(newKey(), zerosOf(bytes));
      return server.requests
        .slice(first)
        .map((request) => request.replace(/ .*(partNumber=\d+|\?uploads).*/, ' $1').split(' /')[0]);
    };
    expect(await callsOf(5 * mebibyte - 1)).toEqual(['PUT']);
    const large = await callsOf(11 * mebibyte);
    expect(large).toEqual(['POST ?uploads', 'PUT partNumber=1', 'PUT partNumber=2', 'PUT partNumber=3', 'POST']);
  });

  it.each(['reset', 'unavailable', 'cut'] as const)(
    'retries a part after a failed first attempt: %s',
    async (failure) => {
      const storage = openBucket();
      const bytes = randomBytes(6 * mebibyte);
      let failures = 0;
      server.setFailure(failure, (request) => request.includes('partNumber=1') && failures++ === 0);
      const key = newKey();
      const stored = await storage.put(key, Readable.from([bytes], { objectMode: false }));
      expect(failures).toBe(2);
      expect(stored.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect((await buffer((await storage.get(key, { sha256: stored.sha256 })).stream)).equals(bytes)).toBe(true);
    },
  );

  it.each(['reset', 'unavailable', 'cut'] as const)('aborts an upload when the server is down: %s', async (failure) => {
    const storage = openBucket();
    server.setFailure(failure, (request) => !request.startsWith('DELETE'));
    await expect(storage.put(newKey(), zerosOf(mebibyte))).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(storage.put(newKey(), zerosOf(6 * mebibyte))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await server.openUploads('failures')).toEqual([]);
  });

  it('aborts the upload when a part fails permanently', async () => {
    const storage = openBucket();
    server.setFailure('unavailable', (request) => request.includes('partNumber=2'));
    await expect(storage.put(newKey(), zerosOf(20 * mebibyte))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await server.openUploads('failures')).toEqual([]);
  });

  it('times out every call when the server hangs', async () => {
    const storage = openBucket({ stallMs: 300 });
    const key = newKey();
    await openBucket().put(key, zerosOf(10));
    server.setFailure('hang');
    const failure = { code: 'service_unavailable' };
    const listing = async () => {
      for await (const _ of storage.list('')) break;
    };
    await Promise.all([
      expect(storage.put(newKey(), zerosOf(10))).rejects.toMatchObject(failure),
      expect(storage.put(newKey(), zerosOf(9 * mebibyte))).rejects.toMatchObject(failure),
      expect(storage.get(key)).rejects.toMatchObject(failure),
      expect(storage.head(key)).rejects.toMatchObject(failure),
      expect(storage.deleteMany([key])).rejects.toMatchObject(failure),
      expect(storage.check(undefined)).rejects.toMatchObject(failure),
      expect(storage.ensure()).rejects.toMatchObject(failure),
      expect(storage.abortStaleUploads(new Date())).rejects.toMatchObject(failure),
      expect(listing()).rejects.toMatchObject(failure),
    ]);
  });

  it('throws an error when a download is interrupted', async () => {
    const storage = openBucket();
    const key = newKey();
    await storage.put(key, zerosOf(mebibyte));
    server.setFailure('cut');
    const { stream } = await storage.get(key);
    await expect(buffer(stream)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('allows slow readers, and treats only a silent server as stalled', async () => {
    const key = newKey();
    await openBucket().put(key, zerosOf(4 * mebibyte));
    const { stream } = await openBucket({ stallMs: 1_000 }).get(key);
    const chunks = stream[Symbol.asyncIterator]();
    let received = (await chunks.next()).value.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // the slowness itself is what is tested
    for await (const chunk of chunks) received += chunk.length;
    expect(received).toBe(4 * mebibyte);
  });

  it('fails after its retries when no server listens', async () => {
    const storage = openBucket({ endpoint: 'http://127.0.0.1:9' });
    await expect(storage.check(undefined)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(storage.put(newKey(), zerosOf(10))).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('shares its memory fairly: slow uploads hold only the bytes they sent', async () => {
    const memory = new BlockPool({ blockBytes: mebibyte / 4, blocksPerPart: 20, parts: 2, waitMs: 20_000 });
    const storage = openBucket({ memory });
    const slow = Array.from({ length: 20 }, () => new PassThrough());
    const slowPuts = slow.map((source) => storage.put(newKey(), source));
    for (const source of slow) source.write(Buffer.alloc(1000));
    const fast = Array.from({ length: 6 }, () => storage.put(newKey(), zerosOf(12 * mebibyte)));
    for (const stored of await Promise.all(fast)) expect(stored.sizeBytes).toBe(12 * mebibyte);
    for (const source of slow) source.end();
    for (const stored of await Promise.all(slowPuts)) expect(stored.sizeBytes).toBe(1000);
  });

  it('rejects an upload that waits too long for memory', async () => {
    const memory = new BlockPool({ blockBytes: mebibyte / 4, blocksPerPart: 20, parts: 1, waitMs: 100 });
    const take = vi.spyOn(memory, 'take');
    const storage = openBucket({ memory });
    const source = new PassThrough();
    const holding = storage.put(newKey(), source);
    source.write(Buffer.alloc(1000));
    // The second upload starts after the first one has its block.
    await vi.waitFor(() => expect(take).toHaveResolved(), { timeout: 60_000 });
    await expect(storage.put(newKey(), endless(), { maxBytes: 50 * mebibyte })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    source.end();
    expect(await holding).toMatchObject({ sizeBytes: 1000 });
  });

  it('signs downloads only when a public endpoint is set', async () => {
    expect(openBucket().presignGet).toBeUndefined();
    const storage = openBucket({ publicEndpoint: server.endpoint });
    const key = newKey();
    await storage.put(key, Readable.from([Buffer.from('hello')]));
    const contentDisposition = 'attachment; filename="a.png"';
    const url = await storage.presignGet?.(key, { expiresS: 900, contentType: 'image/png', contentDisposition });
    const answer = await fetch(url as string);
    expect(await answer.text()).toBe('hello');
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-disposition')).toBe(contentDisposition);
    expect(url).toContain('X-Amz-Expires=900');
  });
});
