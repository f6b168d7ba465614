import type { S3Client } from '@aws-sdk/client-s3';
import { unavailable } from '../unavailable.ts';
import { type Watchdog, withWatchdog } from '../watchdog.ts';
import type { BlockPool } from './block-pool.ts';

export type S3Context = { client: S3Client; bucket: string; stallMs: number; memory: BlockPool };

type Call = { what: string; stallMs: number; signal?: AbortSignal | undefined };

/**
 * Runs an S3 call under a stall limit. `send` may call `touch` on the watchdog to report progress. Throws the signal's
 * reason or `service_unavailable`.
 */
export async function callS3<T>(call: Call, send: (watchdog: Watchdog) => Promise<T>): Promise<T> {
  try {
    return await withWatchdog(call, send);
  } catch (error) {
    throw call.signal?.aborted ? call.signal.reason : unavailable(call.what, toErrorWithoutRequest(error));
  }
}

type ServiceError = { name?: string; $metadata?: { httpStatusCode?: number; attempts?: number } };

/**
 * Returns a copy of an SDK error without its request and response, because they contain sockets and headers with our
 * signature.
 */
export function toErrorWithoutRequest(error: unknown): Error {
  const { name = 'Error', $metadata } = error as ServiceError;
  const facts = $metadata ? ` (status ${$metadata.httpStatusCode}, attempts ${$metadata.attempts ?? 1})` : '';
  return new Error(`${name}: ${error instanceof Error ? error.message : String(error)}${facts}`);
}

/** Returns the HTTP status of an SDK error, or undefined if there was no response. */
export const statusOf = (error: unknown) => (error as ServiceError).$metadata?.httpStatusCode;

/** Returns the response, or undefined if the object, bucket, or upload doesn't exist. */
export async function undefinedIfMissing<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}
