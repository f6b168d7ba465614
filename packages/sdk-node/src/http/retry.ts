import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodes } from '../generated/facts.ts';

const firstMs = 500;
/** Longest wait that the service may ask for. */
const maxAskedMs = 60_000;
const passing = new Set([429, 500, 502, 503, 504]);

/** Whether the same call may work a little later: by its code where that is known, else by its status. */
export function mayPass({ status, code }: { status: number; code: string }): boolean {
  if (!passing.has(status)) return false;
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as keyof typeof errorCodes] : true;
}

/** The wait that an answer asks for (seconds or a date); undefined: none, NaN: longer than anybody should wait. */
export function readRetryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  if (Number.isNaN(ms)) return undefined;
  return ms > maxAskedMs ? Number.NaN : Math.max(0, ms);
}

/** Wait before attempt `n` (from 0) is made again: what was asked for, else twice as long each time; both with jitter. */
export function retryDelayMs(n: number, askedMs?: number): number {
  if (askedMs !== undefined) return askedMs + Math.random() * 250;
  return firstMs * 2 ** n * (0.5 + Math.random());
}

/** Throws the reason of the signal when it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
