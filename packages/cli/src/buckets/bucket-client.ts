import { S3Client } from '@aws-sdk/client-s3';
import { readBucketSettings } from '../config.ts';

// Errors are reported once, by this program.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const connectionTimeout = 10_000;
/** A server that sends nothing for this long is treated as unreachable. */
const requestTimeout = 60_000;

/** Makes a client with the credentials and the endpoint of the environment. Connects with the first call. */
export function makeBucketClient(): S3Client {
  const { region, hasEndpoint } = readBucketSettings();
  return new S3Client({
    ...(region && { region }),
    // Most other services don't have a host name for each bucket.
    ...(hasEndpoint && { forcePathStyle: true }),
    followRegionRedirects: !hasEndpoint,
    // Some services store the framing of the default checksums as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
    maxAttempts: 5,
    requestHandler: { connectionTimeout, requestTimeout, throwOnRequestTimeout: true },
  });
}
