import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { PutOptions } from '../storage.ts';
import { callS3, type S3Context } from './call-s3.ts';
import type { Part } from './open-part.ts';
import { sendPart } from './send-part.ts';

/** An upload in parts: begun by its first part, ended by `complete` or `abort`. */
export type Multipart = {
  isBegun(): boolean;
  add(part: Part): Promise<void>;
  complete(): Promise<void>;
  /** Frees what the server holds. Never throws: what it misses is swept by `abortStaleUploads`. */
  abort(): Promise<void>;
};

const abortStallMs = 5_000;

/** Prepares an upload in parts to `key`; calls nothing yet. */
export function openMultipart(context: S3Context, key: string, options: PutOptions): Multipart {
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
    add: async (part) => {
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
    abort: async () => {
      if (!target) return;
      const command = new AbortMultipartUploadCommand(target);
      const call = { what: `abandoning ${key}`, stallMs: Math.min(stallMs, abortStallMs) };
      await callS3(call, ({ signal: abortSignal }) => client.send(command, { abortSignal })).catch(() => undefined);
    },
  };
}
