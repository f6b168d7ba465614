import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
} from '@aws-sdk/client-s3';
import { callS3, type S3Context } from './call-s3.ts';
import { isMissing } from './s3-errors.ts';

/** Aborts the multipart uploads begun before `olderThan`; returns how many. */
export async function abortStaleMultiparts(context: S3Context, olderThan: Date): Promise<number> {
  let aborted = 0;
  for await (const upload of openUploads(context)) {
    if (!upload.Initiated || upload.Initiated >= olderThan) continue;
    await abortUpload(context, upload);
    aborted++;
  }
  return aborted;
}

async function* openUploads({ client, bucket: Bucket, stallMs }: S3Context): AsyncGenerator<MultipartUpload> {
  let page: ListMultipartUploadsCommandOutput | undefined;
  do {
    const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket,
      KeyMarker: page?.NextKeyMarker,
      UploadIdMarker: page?.NextUploadIdMarker,
    });
    page = await callS3({ what: 'listing unfinished uploads', stallMs }, ({ signal: abortSignal }) =>
      client.send(command, { abortSignal }),
    );
    yield* page.Uploads ?? [];
  } while (page.IsTruncated);
}

async function abortUpload({ client, bucket: Bucket, stallMs }: S3Context, { Key, UploadId }: MultipartUpload) {
  await callS3({ what: `abandoning ${Key}`, stallMs }, async ({ signal: abortSignal }) => {
    try {
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal });
    } catch (error) {
      if (!isMissing(error)) throw error; // finished or aborted meanwhile
    }
  });
}
