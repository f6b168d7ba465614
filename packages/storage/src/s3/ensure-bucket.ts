import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  type GetBucketLifecycleConfigurationCommandOutput,
  HeadBucketCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
} from '@aws-sdk/client-s3';
import { callS3, type S3Context } from './call-s3.ts';
import { isMissing, isRefused, statusOf } from './s3-errors.ts';

const rule: LifecycleRule = {
  ID: 'uprez-abort-incomplete-uploads',
  Status: 'Enabled',
  Filter: { Prefix: '' },
  AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
};

/** Whether the bucket is there and may be used by these credentials. */
export async function headBucket({ client, bucket: Bucket }: S3Context, stallMs: number): Promise<boolean> {
  return callS3({ what: `looking for bucket ${Bucket}`, stallMs }, async ({ signal: abortSignal }) => {
    try {
      await client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  });
}

/** Makes the bucket where it is missing. Safe to run twice at once. */
export async function ensureBucket(context: S3Context, locationConstraint: string | undefined): Promise<void> {
  const { client, bucket: Bucket, stallMs } = context;
  if (await headBucket(context, stallMs)) return;
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
      const current = await rulesOf(
        client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }), { abortSignal }),
      );
      if (current.some(({ ID }) => ID === rule.ID)) return true;
      const LifecycleConfiguration = { Rules: [...current, rule] };
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

/** The rules of a bucket; a bucket without any answers 404. */
async function rulesOf(answer: Promise<GetBucketLifecycleConfigurationCommandOutput>): Promise<LifecycleRule[]> {
  try {
    return (await answer).Rules ?? [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
