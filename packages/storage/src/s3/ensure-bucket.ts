import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadBucketCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
} from '@aws-sdk/client-s3';
import { unavailable } from '../unavailable.ts';
import { callS3, type S3Context, statusOf, undefinedIfMissing } from './call-s3.ts';

const rule: LifecycleRule = {
  ID: 'uprez-abort-incomplete-uploads',
  Status: 'Enabled',
  Filter: { Prefix: '' },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
};

/** Throws `service_unavailable` unless the bucket exists and these credentials can access it. */
export async function requireBucket(context: S3Context, stallMs: number): Promise<void> {
  if (!(await hasBucket(context, stallMs)))
    throw unavailable('check', new Error(`there is no bucket ${context.bucket}`));
}

function hasBucket({ client, bucket: Bucket }: S3Context, stallMs: number): Promise<boolean> {
  return callS3({ what: `looking for bucket ${Bucket}`, stallMs }, async ({ signal: abortSignal }) => {
    const head = await undefinedIfMissing(client.send(new HeadBucketCommand({ Bucket }), { abortSignal }));
    return head !== undefined;
  });
}

/** Creates the bucket if it's missing. Safe to run concurrently. */
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
      // The bucket already exists, probably because another process has created it in the meantime. It's ours if we can
      // access it.
      if (statusOf(error) !== 409) throw error;
      await client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
    }
  });
}

/** Adds a rule to delete unfinished uploads after a day. Returns false if the server or credentials don't allow it. */
export async function ensureExpiryRule({ client, bucket: Bucket, stallMs }: S3Context): Promise<boolean> {
  return callS3({ what: `setting the expiry rule of ${Bucket}`, stallMs }, async ({ signal: abortSignal }) => {
    try {
      // The server responds with 404 if the bucket has no rules.
      const current = await undefinedIfMissing(
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
      if (isUnsupportedOrForbidden(error)) return false;
      throw error;
    }
  });
}

/**
 * Whether the server rejected a request because it lacks a feature, as emulators and S3-like services may, or because
 * we lack a permission.
 */
function isUnsupportedOrForbidden(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  return (status >= 400 && status < 500 && status !== 429) || status === 501;
}
