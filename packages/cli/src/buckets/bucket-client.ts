import { S3Client } from '@aws-sdk/client-s3';
import { CliError, exitCodes } from '../cli-error.ts';
import { readBucketSettings } from '../config.ts';

// Keeps the SDK from logging errors, because the CLI reports them itself.
const silentLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const connectionTimeoutMs = 10_000;
/** Time without data after which a server is treated as unreachable, in milliseconds. */
const requestTimeoutMs = 60_000;

/**
 * Creates an S3 client with the credentials and endpoint from the environment. The client connects on its first call.
 */
export function makeBucketClient(): S3Client {
  const { region, hasEndpoint } = readBucketSettings();
  return new S3Client({
    ...(region && { region }),
    // Most other S3-compatible services don't have a host name per bucket.
    ...(hasEndpoint && { forcePathStyle: true }),
    followRegionRedirects: !hasEndpoint,
    // Turns off the default checksums, because some services store their chunk framing as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silentLogger,
    maxAttempts: 5,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
}

type SdkError = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** Runs a call to a bucket. Throws CliError for errors that affect all objects, such as rejected credentials. */
export async function callBucket<T>(bucket: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toBucketError(bucket, error as SdkError);
  }
}

/** Returns the HTTP status of an error, or `undefined` if there was no response. */
export const statusOf = (error: unknown): number | undefined => (error as SdkError).$metadata?.httpStatusCode;

const makeUnusableBucketError = (bucket: string, reason: string) =>
  new CliError(`The bucket "${bucket}" can't be used: ${reason}`, exitCodes.bucket);

const badCredentials =
  'the credentials are invalid. Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and the endpoint in AWS_ENDPOINT_URL_S3.';
const reasons: Record<string, string> = {
  NoSuchBucket: "it doesn't exist. Check its name, and the endpoint in AWS_ENDPOINT_URL_S3.",
  InvalidBucketName: 'its name is invalid.',
  InvalidAccessKeyId: badCredentials,
  SignatureDoesNotMatch: badCredentials,
  InvalidToken: 'the session token is invalid. Check AWS_SESSION_TOKEN.',
  ExpiredToken: 'the credentials have expired. Renew them, and run the same command again.',
  RequestTimeTooSkewed: 'the clock of this machine is wrong.',
  CredentialsProviderError: 'no credentials found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  PermanentRedirect: 'it is in another region. Check AWS_REGION.',
  AuthorizationHeaderMalformed: 'it is in another region. Check AWS_REGION.',
};
const accessDeniedText = 'access denied. The credentials must be allowed to list it, and to read or write its objects.';

function toBucketError(bucket: string, error: SdkError): Error {
  const { name, message, code } = error;
  const status = statusOf(error);
  if (error instanceof CliError || name === 'AbortError') return error;
  if (reasons[name]) return makeUnusableBucketError(bucket, reasons[name]);
  if (message === 'Region is missing') return makeUnusableBucketError(bucket, 'no region found. Set AWS_REGION.');
  if (status === 401 || status === 403) return makeUnusableBucketError(bucket, accessDeniedText);
  if (status === undefined && code?.startsWith('E') && 'syscall' in error && !isNetworkError(error)) return error;
  if (status === undefined || status >= 500 || status === 429)
    return new CliError(`Couldn't reach the bucket "${bucket}": ${message || name}`, exitCodes.stopped);
  return Object.assign(new Error(message || name), { code: name });
}

/** File system errors have a `path`. Network errors don't. */
const isNetworkError = (error: Error) => !('path' in error);
