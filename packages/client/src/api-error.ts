import type { Problem } from '@uprez/contracts/errors/problem';

/** What is known of a failed call: the parsed problem body, or the bare status line where there was none. */
export type Failure = Omit<Partial<Problem>, 'status'> & { status: number; jobId?: string };

/** A call that was answered with an error. `message` is `"{status}: {sentence}"`; people are shown `sentence` alone. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly sentence: string;
  readonly param: string | undefined;
  readonly allowed: unknown;
  readonly meta: Record<string, unknown> | undefined;
  /** The job that failed, when the error is one of a job. */
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
