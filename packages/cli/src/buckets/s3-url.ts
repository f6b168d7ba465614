import { join, relative } from 'node:path';
import { CliError } from '../cli-error.ts';

/** A bucket and a key prefix. The prefix has no trailing slash. */
export type BucketPath = { bucket: string; prefix: string };

export const isS3Url = (text: string): boolean => /^s3:\/\//i.test(text);

/** Parses `s3://bucket/prefix`. Throws CliError if the bucket is missing. */
export function parseS3Url(url: string): BucketPath {
  const [bucket = '', ...rest] = url.slice('s3://'.length).split('/');
  if (!bucket) throw new CliError(`"${url}" has no bucket. Use s3://BUCKET/PREFIX.`);
  return { bucket, prefix: rest.join('/').replace(/\/+$/, '') };
}

export const makeS3Url = (bucket: string, key: string): string => (key ? `s3://${bucket}/${key}` : `s3://${bucket}`);

/** Returns the path or URL of a result. `out`: a folder or an S3 URL. */
export function joinOutputPath(out: string, output: string): string {
  if (!isS3Url(out)) return join(out, output);
  const { bucket, prefix } = parseS3Url(out);
  return makeS3Url(bucket, keyOf(prefix, output));
}

export const keyOf = (prefix: string, output: string): string =>
  [prefix, output.replaceAll('\\', '/')].filter(Boolean).join('/');

/** Formats a path for display, relative to the current folder. S3 URLs stay unchanged. */
export const formatPath = (path: string): string => (isS3Url(path) ? path : relative('.', path));
