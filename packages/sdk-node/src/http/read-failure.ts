import { ApiError } from '../errors.ts';
import type { Problem } from '../generated/types.ts';

/** The refusal in an answer, whoever wrote it: the service, or a proxy before it. */
export async function readFailure(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.text().catch(() => '');
  const known = headers.get('content-type')?.includes('json') ? parse(body) : {};
  const requestId = known.request_id ?? headers.get('x-request-id');
  return new ApiError({
    ...known,
    status,
    code: known.code ?? headers.get('x-error-code') ?? 'unexpected_answer',
    detail: known.detail ?? `The service answered ${status}.`,
    ...(requestId && { request_id: requestId }),
  });
}

function parse(body: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
