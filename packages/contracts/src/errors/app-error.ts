import type { LimitName } from '../policy/limit-names.ts';
import { formatBytes } from '../texts/format.ts';
import { type ErrorCode, errorCodes } from './error-codes.ts';

export type AppErrorOptions = {
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
  /** The limit that was reached, for metrics. Defaults to the limit of the code. Null if it was already counted. */
  limitName?: LimitName | null | undefined;
  /** Logged, never sent to the client. */
  cause?: unknown;
};

/** Longest `got`, characters. */
const gotLength = 100;

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
    this.got = options.got?.slice(0, gotLength);
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
export const fileTooLarge = (limit: number, param?: string): AppError =>
  new AppError('file_too_large', {
    detail: `The file is larger than ${formatBytes(limit)}.`,
    ...(param && { param }),
    meta: { limit },
  });

/** Returns an error's message for a user who could have been charged for the failed request or job. */
export function chargeableMessage({ code, message }: { code: ErrorCode; message?: string | null | undefined }): string {
  const { title, charged } = errorCodes[code];
  const sentence = message || title;
  // A canceled job that was charged has its own message.
  const isFree = charged === false && (code !== 'cancelled' || sentence === title);
  if (isFree) return `${sentence} You weren't charged.`;
  return charged === 'once' ? `${sentence} You won't be charged twice.` : sentence;
}
