import type { errorCodes } from './generated/facts.ts';
import type { Job, Problem } from './generated/types.ts';

export type ApiErrorCode = keyof typeof errorCodes;
export type OwnErrorCode =
  | 'not_configured'
  | 'connection_failed'
  | 'unexpected_answer'
  | 'wait_timeout'
  | 'invalid_signature'
  | 'timestamp_outside_tolerance';
/** Any error code. A newer service may use codes that this package doesn't support yet. */
export type ErrorCode = ApiErrorCode | OwnErrorCode | (string & {});

/** Base class of all errors from this package. An aborted signal throws its own reason instead. */
export class UprezError extends Error {
  override name = 'UprezError';
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The service returned an error. */
export class ApiError extends UprezError {
  override name = 'ApiError';
  readonly status: number;
  /** The invalid parameter, spelled as it was sent, and its allowed values. */
  readonly param: string | undefined;
  readonly allowed: unknown;
  /** The value that was sent. */
  readonly got: string | undefined;
  /** How to fix the error. */
  readonly hint: string | undefined;
  /** ID of the request. Include it when you contact support. */
  readonly requestId: string | undefined;
  readonly documentationUrl: string | undefined;
  /** The largest accepted factor, if a factor was rejected. */
  readonly maxScale: number | undefined;
  readonly meta: Record<string, unknown>;
  /** Time to wait before the next attempt, in seconds, if the service specifies it. */
  readonly retryAfter: number | undefined;
  constructor(problem: Pick<Problem, 'code' | 'status' | 'detail'> & Partial<Problem>, retryAfter?: number) {
    super(problem.code, problem.detail);
    this.status = problem.status;
    this.param = problem.param;
    this.allowed = problem.allowed;
    this.got = problem.got;
    this.hint = problem.hint;
    this.requestId = problem.request_id;
    this.documentationUrl = problem.documentation_url;
    this.maxScale = problem.max_scale;
    this.meta = problem.meta ?? {};
    this.retryAfter = retryAfter;
  }
}

/** The job failed or was canceled. It isn't charged. */
export class JobFailedError extends UprezError {
  override name = 'JobFailedError';
  readonly job: Job;
  constructor(job: Job) {
    super(job.error?.code ?? job.status, job.error?.message ?? `The job has the status "${job.status}".`);
    this.job = job;
  }
}

/** The job or batch didn't end before the timeout. Processing continues. */
export class WaitTimeoutError extends UprezError {
  override name = 'WaitTimeoutError';
  constructor(id: string, timeoutMs: number) {
    super('wait_timeout', `${id} didn't finish within ${timeoutMs / 1_000} s. Processing continues.`);
  }
}

/** The service couldn't be reached, or the connection broke. `cause` is the error of the last attempt. */
export class ConnectionError extends UprezError {
  override name = 'ConnectionError';
  constructor(cause: unknown) {
    super('connection_failed', "Couldn't connect to the service. Check the base URL and your connection.", { cause });
  }
}

/** The webhook has an invalid signature, or is too old. */
export class WebhookVerificationError extends UprezError {
  override name = 'WebhookVerificationError';
}
