import { S3Client } from '@aws-sdk/client-s3';

export type S3Endpoint = {
  region: string;
  /** Any S3 server; AWS itself when absent. */
  endpoint?: string | undefined;
  forcePathStyle?: boolean | undefined;
  /** Without a key the SDK's own chain is used (instance role, environment). */
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
};

const connectTimeoutMs = 5_000;
// Failures are told by our own errors, once; the SDK would warn of each attempt on the console.
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const maxSockets = 256; // every streaming download holds one

/** An S3 client whose checksums every S3 server understands. Stall limits are the callers' (see `callS3`). */
export function createClient(options: S3Endpoint): S3Client {
  const { region, endpoint, forcePathStyle, accessKeyId, secretAccessKey } = options;
  return new S3Client({
    region,
    ...(endpoint && { endpoint }),
    ...(forcePathStyle !== undefined && { forcePathStyle }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    // We send Content-MD5 and compare our own SHA-256 on reading; the SDK's default framing is stored as content by
    // some servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false, // it would open a new connection for every part
    logger: silent,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      socketTimeout: 0,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
  });
}
