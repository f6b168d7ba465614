import { ApiError } from '../errors.ts';
import type { Problem } from '../generated/types.ts';

/** Parses the error response of the service or of a proxy. */
export async function readError(response: Response): Promise<ApiError> {
  const { status, headers } = response;
  const body = await response.text().catch(() => '');
  const known = headers.get('content-type')?.includes('json') ? parse(body) : {};
  const requestId = known.request_id ?? headers.get('x-request-id');
  return new ApiError({
    ...known,
    status,
    code: known.code ?? headers.get('x-error-code') ?? 'unexpected_answer',
    detail: known.detail ?? `The service returned ${status}.`,
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
