import { type ErrorCode, errorCodes, isErrorCode } from '../errors/error-codes.ts';
import { limits } from './limits.ts';

/** `test`: sandbox keys. */
export const keyKinds = ['live', 'test'] as const;
export type KeyKind = (typeof keyKinds)[number];
/** `service`: keys of the installation, which don't belong to an account. */
export const allKeyKinds = [...keyKinds, 'service'] as const;
export type AnyKeyKind = (typeof allKeyKinds)[number];

/**
 * Rules of the sandbox, which serves sandbox keys, and any key under `/v1/sandbox`. Images are processed for free at a
 * reduced size. They appear in no list, statistic, quota, or ledger of the account, and expire early. Sandbox jobs and
 * batches can be read only with sandbox keys or under `/v1/sandbox`.
 */
export const sandbox = {
  prefix: '/v1/sandbox',
  maxBytes: limits.sandboxBytes,
  maxSide: limits.sandboxSide,
  maxHours: limits.sandboxHours,
} as const;

/** Delay of a job with the file name `slow`, in seconds. */
export const slowJobSeconds = 5;

/** Errors that fail the job instead of the request. */
const jobErrors = [
  'processing_crashed',
  'processing_timeout',
  'processing_memory',
  'output_check_failed',
  'target_bytes_unreachable',
] as const;

const fileNameErrors = [
  'file_too_large',
  'unsupported_format',
  'empty_file',
  'corrupt_image',
  'too_many_pixels',
  'too_many_frames',
  'image_too_complex',
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
  ...jobErrors,
] as const satisfies readonly ErrorCode[];
export type FileNameError = (typeof fileNameErrors)[number];

/** File names, without extension, that trigger a behavior in the sandbox only. */
export const sandboxTriggers = [
  { name: 'webhook-failure', says: 'The job completes, and the first attempt of each webhook delivery fails.' },
  { name: 'slow', says: `The job starts after ${slowJobSeconds} seconds.` },
  ...fileNameErrors.map((code) => ({
    name: `error-${code}`,
    says: (jobErrors as readonly string[]).includes(code)
      ? `The job fails with ${code}.`
      : `The request fails with ${errorCodes[code].status} ${code}.`,
  })),
] as const;

export type SandboxTrigger = { kind: 'slow' } | { kind: 'webhook' } | { kind: 'refuse' | 'fail'; code: FileNameError };

export function findSandboxTrigger(filename: string): SandboxTrigger | undefined {
  const base = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '').toLowerCase();
  if (base === 'slow') return { kind: 'slow' };
  if (base === 'webhook-failure') return { kind: 'webhook' };
  const code = base.startsWith('error-') ? base.slice('error-'.length) : '';
  if (!isErrorCode(code) || !(fileNameErrors as readonly string[]).includes(code)) return undefined;
  const kind = (jobErrors as readonly string[]).includes(code) ? 'fail' : 'refuse';
  return { kind, code: code as FileNameError };
}
