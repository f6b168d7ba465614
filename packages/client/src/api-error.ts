import type { Problem } from '@uprez/contracts/errors/problem';

/** The parsed problem document of an error response, or its status only. */
export type Failure = Omit<Partial<Problem>, 'status'> & { status: number; jobId?: string };

/** An error response. `message` is `"{status}: {sentence}"`. Show users only `sentence`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly sentence: string;
  readonly param: string | undefined;
  readonly allowed: unknown;
  readonly meta: Record<string, unknown> | undefined;
  /** ID of the failed job, if the error belongs to a job. */
  readonly jobId: string | undefined;

  constructor(failure: Failure, sentence: string) {
    super(`${failure.status}: ${sentence}`);
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.sentence = sentence;
    this.param = failure.param;
    this.allowed = failure.allowed;
    this.meta = failure.meta;
    this.jobId = failure.jobId;
  }
}
