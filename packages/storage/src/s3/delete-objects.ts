import { DeleteObjectsCommand } from '@aws-sdk/client-s3';
import { unavailable } from '../unavailable.ts';
import { callS3, type S3Context } from './call-s3.ts';

const pageSize = 1000; // S3's own limit

/** Deletes objects; missing ones are fine. Rejects when the server could not delete one of them. */
export async function deleteObjects(context: S3Context, keys: readonly string[]): Promise<void> {
  const { client, bucket: Bucket, stallMs } = context;
  for (let start = 0; start < keys.length; start += pageSize) {
    const Objects = keys.slice(start, start + pageSize).map((Key) => ({ Key }));
    const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
    const { Errors = [] } = await callS3({ what: 'deleting objects', stallMs }, ({ signal: abortSignal }) =>
      client.send(command, { abortSignal }),
    );
    const [failed] = Errors;
    if (failed) throw unavailable('deleting objects', new Error(`${failed.Key}: ${failed.Code} ${failed.Message}`));
  }
}
