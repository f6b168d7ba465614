import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type S3rver from 's3rver';

type Written = { size: number };
type Store = {
  deleteObject(bucket: string, key: string): Promise<void>;
  putPart(bucket: string, uploadId: string, partNumber: string, content: unknown): Promise<Written>;
  putObject(object: { bucket: string; key: string }): Promise<Written>;
};

/**
 * s3rver answers a put before the file on disk is whole, so that a read right after it may come short. This makes it
 * wait until the file has its size.
 */
export function waitForFlush(s3rver: S3rver, directory: string): void {
  const { store } = s3rver as unknown as { store: Store };
  const putPart = store.putPart.bind(store);
  store.putPart = async (...part) => {
    const written = await putPart(...part);
    const [bucket, uploadId, partNumber] = part;
    await untilSize(join(directory, bucket, '._S3rver_uploads', uploadId, partNumber), written.size);
    return written;
  };
  const putObject = store.putObject.bind(store);
  store.putObject = async (object) => {
    const written = await putObject(object);
    await untilSize(join(directory, object.bucket, `${object.key}._S3rver_object`), written.size);
    return written;
  };
}

async function untilSize(path: string, size: number): Promise<void> {
  const deadline = Date.now() + 10_000;
  while ((await stat(path)).size !== size) {
    if (Date.now() > deadline) throw new Error(`${path} did not reach ${size} bytes`);
    await delay(2);
  }
}

const files = ['object', 'object.md5', 'metadata.json'];

/**
 * s3rver removes a folder with its last object, also between a put's making the folder and its opening the file: the
 * put then ends the process. This lets folders stay.
 */
export function keepFolders(s3rver: S3rver, directory: string): void {
  const { store } = s3rver as unknown as { store: Store };
  store.deleteObject = async (bucket, key) => {
    await Promise.all(files.map((file) => rm(join(directory, bucket, `${key}._S3rver_${file}`), { force: true })));
  };
}
