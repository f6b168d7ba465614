import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { objectKeys } from '@uprez/storage/object-keys';
import { openS3Storage, type S3StorageOptions } from '@uprez/storage/open-s3-storage';
import { fileFixture } from '@uprez/testing/fixtures';
import { externalS3 } from '@uprez/testing/s3/external-s3';
import { waitUntil } from '@uprez/testing/wait-until';
import { describe, expect, it } from 'vitest';
import { describeStorage } from './storage-suite.ts';

const { endpoint, owner, stranger } = externalS3();
const region = 'us-east-1';
const newKey = () => objectKeys.upload(randomUUID());
const streamOf = (text: string) => Readable.from([Buffer.from(text)]);
const unavailable = { code: 'service_unavailable' };

/** Opens a new bucket, with a client that changes it behind the storage's back. */
async function openBucket() {
  const bucket = `uprez-test-${randomUUID()}`;
  const options: S3StorageOptions = {
    endpoint,
    publicEndpoint: endpoint,
    region,
    bucket,
    forcePathStyle: true,
    ...owner,
  };
  const storage = openS3Storage(options);
  const ensured = await storage.ensure();
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: owner });
  return {
    storage,
    ensured,
    client,
    options,
    damage: (Key: string, Body: Buffer) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body })),
    leftovers: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      return Uploads.map(({ UploadId }) => UploadId ?? '');
    },
    close: async () => {
      client.destroy();
      await storage.close();
    },
  };
}

describeStorage('an external S3 server', { overwritesAtomically: true, open: openBucket });

describe('an external S3 server', () => {
  const opened = fileFixture(openBucket);
  const openAs = (changed: Partial<S3StorageOptions>) => openS3Storage({ ...opened.options, ...changed });

  it.each([
    ['with a wrong secret', { secretAccessKey: 'wrong' }],
    ['of an unknown user', { accessKeyId: 'uprez:nobody' }],
    ['without rights', stranger],
  ])('rejects every call with a key %s', async (_, changed) => {
    const key = newKey();
    await opened.storage.put(key, streamOf('hello'));
    const storage = openAs(changed);
    const listing = async () => {
      for await (const _ of storage.list('')) break;
    };
    await Promise.all([
      expect(storage.put(newKey(), streamOf('x'))).rejects.toMatchObject(unavailable),
      expect(storage.put(newKey(), Readable.from([Buffer.alloc(6 * 1024 * 1024)]))).rejects.toMatchObject(unavailable),
      expect(storage.get(key)).rejects.toMatchObject(unavailable),
      expect(storage.head(key)).rejects.toMatchObject(unavailable),
      expect(storage.deleteMany([key])).rejects.toMatchObject(unavailable),
      expect(storage.check(undefined)).rejects.toMatchObject(unavailable),
      expect(storage.ensure()).rejects.toMatchObject(unavailable),
      expect(storage.abortStaleUploads(new Date())).rejects.toMatchObject(unavailable),
      expect(listing()).rejects.toMatchObject(unavailable),
    ]);
    expect((await buffer((await opened.storage.get(key)).stream)).toString()).toBe('hello');
    await storage.close();
  });

  const sign = async (key: string, expiresS: number, storage = opened.storage) =>
    (await storage.presignGet?.(key, {
      expiresS,
      contentType: 'image/png',
      contentDisposition: 'attachment; filename="a b.png"',
    })) ?? '';

  it('delivers signed downloads, whole and in ranges', async () => {
    const key = newKey();
    await opened.storage.put(key, streamOf('hello'));
    const url = await sign(key, 900);
    const whole = await fetch(url);
    expect([whole.status, await whole.text()]).toEqual([200, 'hello']);
    expect(whole.headers.get('content-type')).toBe('image/png');
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="a b.png"');
    const part = await fetch(url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'ell']);
    expect(part.headers.get('content-range')).toBe('bytes 1-3/5');
  });

  it('rejects signed downloads that were changed, are used for another method, or are by a user without rights', async () => {
    const [key, other] = [newKey(), newKey()];
    for (const name of [key, other]) await opened.storage.put(name, streamOf('hello'));
    const url = await sign(key, 900);
    const changes = [
      url.replace(key, other),
      url.replace('X-Amz-Expires=900', 'X-Amz-Expires=9000'),
      url.replace('a%20b.png', 'evil.exe'),
      url.replace(/X-Amz-Signature=./, (text) => `X-Amz-Signature=${text.endsWith('0') ? '1' : '0'}`),
      url.replace(/&X-Amz-Signature=\w+/, ''),
      url.split('?')[0] ?? '',
      await sign(key, 900, openAs(stranger)),
      await sign(key, 900, openAs({ secretAccessKey: 'wrong' })),
    ];
    for (const changed of changes) {
      expect(changed).not.toBe(url);
      expect((await fetch(changed)).status, changed).toBeGreaterThanOrEqual(400);
    }
    for (const method of ['PUT', 'DELETE']) expect((await fetch(url, { method })).status, method).toBe(403);
    expect(await (await fetch(url)).text()).toBe('hello');
  });

  it('rejects signed downloads that have expired', async () => {
    const key = newKey();
    await opened.storage.put(key, streamOf('hello'));
    const url = await sign(key, 2);
    expect((await fetch(url)).status).toBe(200);
    await waitUntil(async () => (await fetch(url)).status === 403, { timeoutMs: 10_000, what: 'an expired URL' });
  });

  it('reports whether the server expires unfinished uploads, and aborts those of other processes', async () => {
    const { Bucket, Key } = { Bucket: opened.options.bucket, Key: newKey() };
    await opened.client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const { expiresStaleUploads } = await opened.storage.ensure();
    expect(expiresStaleUploads).toBe(opened.ensured.expiresStaleUploads);
    expect(await opened.storage.abortStaleUploads(new Date(Date.now() - 60_000))).toBe(0);
    expect(await opened.storage.abortStaleUploads(new Date(Date.now() + 60_000))).toBe(1);
    expect(await opened.leftovers()).toEqual([]);
  });

  it('stores nothing of an upload that is aborted before its end', async () => {
    const key = newKey();
    const controller = new AbortController();
    const source = new PassThrough();
    const stored = expect(opened.storage.put(key, source, { signal: controller.signal })).rejects.toThrow('left');
    source.write(Buffer.alloc(1000));
    controller.abort(new Error('left'));
    await stored;
    expect(await opened.storage.head(key)).toBeUndefined();
  });
});
