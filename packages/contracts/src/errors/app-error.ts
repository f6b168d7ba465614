import { type ErrorCode, errorCodes } from './error-codes.ts';

export type AppErrorOptions = {
  /** Public sentence; the code's title when absent. */
  detail?: string;
  /** Name of the offending parameter, and what it may be. Both public. */
  param?: string;
  allowed?: unknown;
  /** What was sent instead, as text; a long one is cut. */
  got?: string | undefined;
  /** Public sentence of what helps, where it is not what helps against every such error; empty: nothing does. */
  hint?: string | undefined;
  /** Public facts for machines (limit, value, largest factor). */
  meta?: Record<string, unknown>;
  /** For the log only. */
  cause?: unknown;
};

/** Nobody needs all of a value that cannot be, characters. */
const gotLength = 100;

/** The one exception that carries a public error code. `message` is public; `cause` is not. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly allowed: unknown;
  readonly got: string | undefined;
  readonly hint: string | undefined;
  readonly meta: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? errorCodes[code].title, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.param = options.param;
    this.allowed = options.allowed;
    this.got = options.got?.slice(0, gotLength);
    this.hint = options.hint;
    this.meta = options.meta;
  }

  /** A copy of this error with another parameter name or detail. */
  with(changes: Pick<AppErrorOptions, 'param' | 'detail'>): AppError {
    const { code, message: detail, param, allowed, got, hint, meta, cause } = this;
    return new AppError(code, {
      ...{ detail, ...(param && { param }), allowed, got, hint, ...(meta && { meta }), cause },
      ...changes,
    });
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}
