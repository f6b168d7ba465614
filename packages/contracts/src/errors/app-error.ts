import type { LimitName } from '../policy/limit-names.ts';
import { formatBytes } from '../texts/format.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

type AppErrorOptions = {
  /** Public message; defaults to the code's title. */
  detail?: string;
  /** Name of the invalid parameter, and its allowed values. Both are public. */
  param?: string;
  allowed?: unknown;
  /** The value that was sent, as text; truncated to 100 characters. */
  got?: string | undefined;
  /** Public hint that replaces the code's default hint. */
  hint?: string | undefined;
  /** Public machine-readable data, such as the limit and the value. */
  meta?: Record<string, unknown>;
  /**
   * The limit that was reached, for metrics. Defaults to the limit of the error code. Null if the limit was already
   * counted.
   */
  limitName?: LimitName | null | undefined;
  /** Logged, never sent to the client. */
  cause?: unknown;
};

const maxGotLength = 100;

/** An error with a public code. `message` is public; `cause` is not. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly allowed: unknown;
  readonly got: string | undefined;
  readonly hint: string | undefined;
  readonly meta: Record<string, unknown> | undefined;
  readonly limitName: LimitName | null | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorCodes[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.param = options.param;
    this.allowed = options.allowed;
    this.got = options.got?.slice(0, maxGotLength);
    this.hint = options.hint;
    this.meta = options.meta;
    this.limitName = options.limitName;
  }

  /** Returns a copy of this error with another parameter name or detail. */
  with(changes: Pick<AppErrorOptions, 'param' | 'detail'>): AppError {
    const { code, message: detail, param, allowed, got, hint, meta, limitName, cause } = this;
    return new AppError(code, {
      ...{ detail, ...(param && { param }), allowed, got, hint, ...(meta && { meta }), limitName, cause },
      ...changes,
    });
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** Creates the error for a file that exceeds a limit in bytes. */
export const makeFileTooLargeError = (limit: number, param?: string): AppError =>
  new AppError('file_too_large', {
    detail: `The file is larger than ${formatBytes(limit)}.`,
    ...(param && { param }),
    meta: { limit },
  });

/**
 * Returns an error's message for a user who could have been charged for the failed request or job. Adds whether they
 * were charged, if the error code says so.
 */
export function formatChargeableMessage({
  code,
  message,
}: {
  code: ErrorCode;
  message?: string | null | undefined;
}): string {
  const { title, charged } = errorCodes[code];
  const sentence = message || title;
  // If a canceled job was charged, its message differs from the title.
  const isFree = charged === false && (code !== 'cancelled' || sentence === title);
  if (isFree) return `${sentence} You weren't charged.`;
  return charged === 'once' ? `${sentence} You won't be charged twice.` : sentence;
}

/** For errors without a `limitName`. */
const limitByCode: Partial<Record<ErrorCode, LimitName>> = {
  headers_too_large: 'header_size',
  file_too_large: 'upload_size',
  storage_full: 'storage',
  too_many_pixels: 'image_pixels',
  side_too_long: 'image_side',
  too_many_frames: 'image_frames',
  image_too_complex: 'image_complexity',
  preview_too_large: 'preview_size',
  preview_too_slow: 'preview_time',
  item_upload_running: 'item_upload',
  queue_full: 'queue_wait',
  quota_exceeded: 'quota',
  key_cap_exceeded: 'key_cap',
  plan_feature: 'plan_features',
  output_too_large: 'output_pixels',
  job_too_long: 'job_seconds',
  result_expired: 'result_time',
  webhook_limit: 'webhook_endpoints',
  too_many_attempts: 'sign_in_attempts',
  api_key_limit: 'api_keys',
};

export const limitOfError = ({
  code,
  limitName = limitByCode[code],
}: Pick<AppError, 'code'> & Partial<Pick<AppError, 'limitName'>>): LimitName | undefined => limitName ?? undefined;
