import type { errorCodes } from './generated/facts.ts';
import type { Job, Problem } from './generated/types.ts';

/** What the API calls its errors. */
export type ApiErrorCode = keyof typeof errorCodes;
/** What this package calls its own. */
export type OwnErrorCode =
  | 'not_configured'
  | 'connection_failed'
  | 'unexpected_answer'
  | 'wait_timeout'
  | 'invalid_signature'
  | 'timestamp_outside_tolerance';
/** A newer service may know more codes than this package. */
export type ErrorCode = ApiErrorCode | OwnErrorCode | (string & {});

/** Whatever this package throws, but for mistakes of the program itself and the reason of an aborted signal. */
export class UprezError extends Error {
  override name = 'UprezError';
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The service refused a call. */
export class ApiError extends UprezError {
  override name = 'ApiError';
  readonly status: number;
  /** The parameter that is wrong, as it was sent, and what it may be. */
  readonly param: string | undefined;
  readonly allowed: unknown;
  /** What was sent instead. */
  readonly got: string | undefined;
  /** What would help. */
  readonly hint: string | undefined;
  /** Which call this was: tell it to support. */
  readonly requestId: string | undefined;
  readonly documentationUrl: string | undefined;
  /** The largest factor that would be accepted, where one was refused. */
  readonly maxScale: number | undefined;
  readonly meta: Record<string, unknown>;
  constructor(problem: Pick<Problem, 'code' | 'status' | 'detail'> & Partial<Problem>) {
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
  }
}

/** A job that was waited for has failed or was cancelled; nothing was charged. */
export class JobFailedError extends UprezError {
  override name = 'JobFailedError';
  readonly job: Job;
  constructor(job: Job) {
    super(job.error?.code ?? job.status, job.error?.message ?? `The job was ${job.status}.`);
    this.job = job;
  }
}

/** A job or batch was not finished within the time limit; it goes on. */
export class WaitTimeoutError extends UprezError {
  override name = 'WaitTimeoutError';
  constructor(id: string, timeoutMs: number) {
    super('wait_timeout', `${id} was not finished within ${timeoutMs / 1_000} s. It goes on.`);
  }
}

/** The service could not be reached, or broke off; what the last attempt met is the `cause`. */
export class ConnectionError extends UprezError {
  override name = 'ConnectionError';
  constructor(cause: unknown) {
    super('connection_failed', 'The service could not be reached.', { cause });
  }
}

/** A message is not a webhook of this service, or is too old to be trusted. */
export class WebhookVerificationError extends UprezError {
  override name = 'WebhookVerificationError';
}
