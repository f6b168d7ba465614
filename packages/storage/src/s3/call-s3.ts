import type { S3Client } from '@aws-sdk/client-s3';
import { raceSignal } from '../race-signal.ts';
import { unavailable } from '../unavailable.ts';
import { startWatchdog, type Watchdog } from '../watchdog.ts';
import type { BlockPool } from './block-pool.ts';
import { withoutRequest } from './s3-errors.ts';

/** What every S3 operation needs. */
export type S3Context = { client: S3Client; bucket: string; stallMs: number; memory: BlockPool };

type Call = { what: string; stallMs: number; signal?: AbortSignal | undefined };

/**
 * Run an S3 call under a stall limit. Throws the signal's reason or `service_unavailable`. `send` may `touch` the
 * watchdog.
 */
export async function callS3<T>(call: Call, send: (watchdog: Watchdog) => Promise<T>): Promise<T> {
  const watchdog = startWatchdog(call.stallMs, call.signal);
  try {
    return await raceSignal(send(watchdog), watchdog.signal);
  } catch (error) {
    throw call.signal?.aborted ? call.signal.reason : unavailable(call.what, withoutRequest(error));
  } finally {
    watchdog.stop();
  }
}
