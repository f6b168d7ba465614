import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { ListedObject } from '../storage.ts';
import { callS3, type S3Context } from './call-s3.ts';

/** Every object whose key begins with `prefix`, a page of 1,000 at a time. */
export async function* listObjects(context: S3Context, prefix: string): AsyncGenerator<ListedObject> {
  const { client, bucket: Bucket, stallMs } = context;
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({ Bucket, Prefix: prefix, ContinuationToken: token });
    const page = await callS3({ what: `listing ${prefix}`, stallMs }, ({ signal: abortSignal }) =>
      client.send(command, { abortSignal }),
    );
    for (const { Key, Size, LastModified } of page.Contents ?? []) {
      if (Key && LastModified) yield { key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified };
    }
    token = page.NextContinuationToken;
  } while (token);
}
