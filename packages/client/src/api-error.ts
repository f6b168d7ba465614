import type {
  errorCodeHeader as codeHeader,
  problemMediaType as mediaType,
  Problem,
} from '@uprez/contracts/errors/problem';

// Copies of the constants in `@uprez/contracts`, because importing them would load zod in the browser.
export const problemMediaType: typeof mediaType = 'application/problem+json';
export const errorCodeHeader: typeof codeHeader = 'x-error-code';
/** Header with the ID of the job that an error belongs to. */
export const jobIdHeader = 'x-job-id';

/**
 * The parsed problem document from an error response. Contains only the status if the body isn't a problem document.
 */
export type Failure = Omit<Partial<Problem>, 'status'> & { status: number; jobId?: string };

/** An error response. `message` is `"{status}: {sentence}"`. Show only `sentence` to users. */
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

/** The parts of a response that `fetch` and `XMLHttpRequest` share. */
type ResponseParts = {
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
 * Converts an error response to an ApiError. `sentence` is the problem document's `detail`, the body, or the status
 * text, in this order. The code is from the problem document or the `X-Error-Code` header.
 */
export function parseError({ status, statusText, body, header }: ResponseParts): ApiError {
  const isJson = (header('content-type') ?? '').includes('json');
  const problem = isJson ? parseProblem(body) : {};
  const jobId = header(jobIdHeader);
  const code = problem.code ?? header(errorCodeHeader);
  const failure: Failure = { ...problem, status, ...(code && { code }), ...(jobId && { jobId }) };
  return new ApiError(failure, problem.detail ?? (body || statusText));
}

/** Accept header that requests JSON, and problem documents for errors. */
export const accept = `${problemMediaType}, application/json, */*;q=0.5`;

type ParsedResponse = { status: number; headers: Headers; response: Response; data: unknown };

/**
 * Reads a response. `data` is the parsed JSON, or undefined for other media types. Throws ApiError for status codes of
 * 400 and above.
 */
export async function readResponse(response: Response): Promise<ParsedResponse> {
  const { status, statusText, headers } = response;
  if (status >= 400) {
    const header = (name: string) => headers.get(name) ?? undefined;
    throw parseError({ status, statusText, header, body: await response.text() });
  }
  const isJson = (headers.get('content-type') ?? '').includes('json');
  const data: unknown = isJson ? await response.json() : undefined;
  return { status, headers, response, data };
}
