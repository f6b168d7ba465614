import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { PutOptions } from '../storage.ts';
import { callS3, type S3Context, unlessMissing } from './call-s3.ts';
import { type Part, sendPart } from './open-part.ts';

const abortStallMs = 5_000;

/** Prepares an upload in parts to `key`, begun by its first part and ended by `complete` or `abort`. */
export function openMultipart(context: S3Context, key: string, options: PutOptions) {
  const { client, bucket: Bucket, stallMs } = context;
  const { signal, contentType: ContentType } = options;
  const parts: CompletedPart[] = [];
  let target: { Bucket: string; Key: string; UploadId: string | undefined } | undefined;
  const begin = () =>
    callS3({ what: `beginning ${key}`, stallMs, signal }, async ({ signal: abortSignal }) => {
      const command = new CreateMultipartUploadCommand({ Bucket, Key: key, ContentType });
      const { UploadId } = await client.send(command, { abortSignal });
      return { Bucket, Key: key, UploadId };
    });
  return {
    isBegun: () => target !== undefined,
    add: async (part: Part) => {
      target ??= await begin();
      const numbered = { ...target, PartNumber: parts.length + 1 };
      const { ETag } = await callS3({ what: `sending a part of ${key}`, stallMs, signal }, (watchdog) =>
        sendPart(part, watchdog, (body) =>
          client.send(new UploadPartCommand({ ...numbered, ...body }), { abortSignal: watchdog.signal }),
        ),
      );
      parts.push({ ETag, PartNumber: numbered.PartNumber });
    },
    complete: async () => {
      const command = new CompleteMultipartUploadCommand({
        ...(target as NonNullable<typeof target>),
        MultipartUpload: { Parts: parts },
      });
      await callS3({ what: `completing ${key}`, stallMs, signal }, ({ signal: abortSignal }) =>
        client.send(command, { abortSignal }),
      );
    },
    /** Frees what the server holds. Never throws: what it misses is swept by `abortStaleMultiparts`. */
    abort: async () => {
      if (!target) return;
      const command = new AbortMultipartUploadCommand(target);
      const call = { what: `abandoning ${key}`, stallMs: Math.min(stallMs, abortStallMs) };
      await callS3(call, ({ signal: abortSignal }) => client.send(command, { abortSignal })).catch(() => undefined);
    },
  };
}

/** Aborts the multipart uploads begun before `olderThan`; returns how many. */
export async function abortStaleMultiparts(context: S3Context, olderThan: Date): Promise<number> {
  const { client, bucket: Bucket, stallMs } = context;
  let aborted = 0;
  for await (const { Key, UploadId, Initiated } of listMultiparts(context)) {
    if (!Initiated || Initiated >= olderThan) continue;
    // It may be finished or aborted meanwhile.
    await callS3({ what: `abandoning ${Key}`, stallMs }, ({ signal: abortSignal }) =>
      unlessMissing(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal })),
    );
    aborted++;
  }
  return aborted;
}

async function* listMultiparts({ client, bucket: Bucket, stallMs }: S3Context) {
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
