import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadBucketCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
} from '@aws-sdk/client-s3';
import { unavailable } from '../unavailable.ts';
import { callS3, type S3Context, statusOf, unlessMissing } from './call-s3.ts';

const rule: LifecycleRule = {
  ID: 'uprez-abort-incomplete-uploads',
  Status: 'Enabled',
  Filter: { Prefix: '' },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
};

/** Throws `service_unavailable` unless the bucket is there and may be used by these credentials. */
export async function requireBucket(context: S3Context, stallMs: number): Promise<void> {
  if (!(await hasBucket(context, stallMs)))
    throw unavailable('check', new Error(`there is no bucket ${context.bucket}`));
}

function hasBucket({ client, bucket: Bucket }: S3Context, stallMs: number): Promise<boolean> {
  return callS3({ what: `looking for bucket ${Bucket}`, stallMs }, async ({ signal: abortSignal }) => {
    const head = await unlessMissing(client.send(new HeadBucketCommand({ Bucket }), { abortSignal }));
    return head !== undefined;
  });
}

/** Makes the bucket where it is missing. Safe to run twice at once. */
export async function ensureBucket(context: S3Context, locationConstraint: string | undefined): Promise<void> {
  const { client, bucket: Bucket, stallMs } = context;
  if (await hasBucket(context, stallMs)) return;
  const CreateBucketConfiguration = locationConstraint
    ? { LocationConstraint: locationConstraint as BucketLocationConstraint }
    : undefined;
  await callS3({ what: `creating bucket ${Bucket}`, stallMs }, async ({ signal: abortSignal }) => {
    try {
      await client.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration }), { abortSignal });
    } catch (error) {
      // Someone else made it meanwhile: ours when we may look at it.
      if (statusOf(error) !== 409) throw error;
      await client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
    }
  });
}

/** Add a rule that drops unfinished uploads after a day. False when the server or the credentials don't allow it. */
export async function ensureExpiryRule({ client, bucket: Bucket, stallMs }: S3Context): Promise<boolean> {
  return callS3({ what: `setting the expiry rule of ${Bucket}`, stallMs }, async ({ signal: abortSignal }) => {
    try {
      // A bucket without any rules answers 404.
      const current = await unlessMissing(
        client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }), { abortSignal }),
      );
      const rules = current?.Rules ?? [];
      if (rules.some(({ ID }) => ID === rule.ID)) return true;
      const LifecycleConfiguration = { Rules: [...rules, rule] };
      await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }), {
        abortSignal,
      });
      return true;
    } catch (error) {
      if (isRefused(error)) return false;
      throw error;
    }
  });
}

/** The server understood us and will not: a feature it lacks (emulators, S3-like services) or a right we lack. */
function isRefused(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return (status >= 400 && status < 500 && status !== 429) || status === 501;
}
