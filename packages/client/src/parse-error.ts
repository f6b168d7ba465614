import { ApiError, type Failure } from './api-error.ts';
import { errorCodeHeader, jobIdHeader } from './problem-names.ts';

/** The parts of a response that `fetch` and `XMLHttpRequest` share. */
export type ResponseParts = {
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
 * Converts an error response to an ApiError. The sentence is `detail` of the problem document, the body text, or the
 * status text. The code is that of the problem document or of the header `X-Error-Code`.
 */
export function parseError({ status, statusText, body, header }: ResponseParts): ApiError {
  const isJson = (header('content-type') ?? '').includes('json');
  const problem = isJson ? parseProblem(body) : {};
  const jobId = header(jobIdHeader);
  const code = problem.code ?? header(errorCodeHeader);
  const failure: Failure = { ...problem, status, ...(code && { code }), ...(jobId && { jobId }) };
  return new ApiError(failure, problem.detail ?? (body || statusText));
}
