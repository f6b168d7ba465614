import { type ErrorCode, errorCodes, isErrorCode } from '../errors/error-codes.ts';
import { limits } from './limits.ts';

/**
 * The sandbox: what keys of the kind `test`, and any key under `/v1/sandbox`, make. Images are really made, but small,
 * and free: they are in no list, count, quota or ledger of the account, and go after a while. Its jobs and batches are
 * found with test keys and under `/v1/sandbox` only.
 */
export const sandbox = {
  prefix: '/v1/sandbox',
  /** Largest file that it takes, bytes; longest side of a result, pixels; hours that a result is kept at most. */
  maxBytes: limits.sandboxBytes,
  maxSide: limits.sandboxSide,
  maxHours: limits.sandboxHours,
} as const;

/** How long the slow job waits before it is made, seconds. */
export const slowSeconds = 5;

/** A job that fails while it is made, rather than a call that is refused. */
const failsLater = [
  'processing_crashed',
  'processing_timeout',
  'processing_memory',
  'output_check_failed',
  'target_bytes_unreachable',
] as const;

/** Errors that a file name can force: what a processing call may be refused for once its file has come. */
const forcible = [
  'file_too_large',
  'unsupported_format',
  'empty_file',
  'corrupt_image',
  'too_many_pixels',
  'too_many_frames',
  'side_too_long',
  'output_too_large',
  'job_too_long',
  'engine_unavailable',
  'plan_feature',
  'quota_exceeded',
  'key_cap_exceeded',
  'storage_full',
  'url_not_allowed',
  'url_unreachable',
  'idempotency_mismatch',
  'rate_limited',
  'internal',
  'service_unavailable',
  'maintenance',
  ...failsLater,
] as const satisfies readonly ErrorCode[];
export type ForcibleError = (typeof forcible)[number];

/** Names of files that make something happen in the sandbox, whatever their extension; they mean nothing elsewhere. */
export const magicNames = [
  { name: 'webhook-failure', says: 'The job is made; the first attempt of each of its webhooks fails.' },
  { name: 'slow', says: `The job waits ${slowSeconds} seconds before it is made.` },
  ...forcible.map((code) => ({
    name: `error-${code}`,
    says: (failsLater as readonly string[]).includes(code)
      ? `The job fails with ${code}.`
      : `The call is refused with ${errorCodes[code].status} ${code}.`,
  })),
] as const;

/** What a file name asks of the sandbox. */
export type Magic = { kind: 'slow' } | { kind: 'webhook' } | { kind: 'refuse' | 'fail'; code: ForcibleError };

export function findMagic(filename: string): Magic | undefined {
  const base = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '').toLowerCase();
  if (base === 'slow') return { kind: 'slow' };
  if (base === 'webhook-failure') return { kind: 'webhook' };
  const code = base.startsWith('error-') ? base.slice('error-'.length) : '';
  if (!isErrorCode(code) || !(forcible as readonly string[]).includes(code)) return undefined;
  const kind = (failsLater as readonly string[]).includes(code) ? 'fail' : 'refuse';
  return { kind, code: code as ForcibleError };
}
