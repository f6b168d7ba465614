import { ApiError, type Failure } from './api-error.ts';
import { errorCodeHeader, jobIdHeader } from './problem-names.ts';

/** The parts of an answer that `fetch` and `XMLHttpRequest` both have; `header` is undefined for a missing one. */
export type AnswerParts = {
  status: number;
  statusText: string;
  body: string;
  header: (name: string) => string | undefined;
};

function parseProblem(body: string): Partial<Failure> & { detail?: string } {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
}

/**
 * Turn a non-OK answer into an ApiError. The sentence is the problem's `detail`, else the body as text, else the
 * status text; the code comes from the problem or from `X-Error-Code`.
 */
export function readFailure({ status, statusText, body, header }: AnswerParts): ApiError {
  const isJson = (header('content-type') ?? '').includes('json');
  const problem = isJson ? parseProblem(body) : {};
  const jobId = header(jobIdHeader);
  const code = problem.code ?? header(errorCodeHeader);
  const failure: Failure = { ...problem, status, ...(code && { code }), ...(jobId && { jobId }) };
  return new ApiError(failure, problem.detail ?? (body || statusText));
}
