import { parseError, problemMediaType } from './api-error.ts';

/** The Accept header: JSON responses, and errors as problem documents. */
export const accept = `${problemMediaType}, application/json, */*;q=0.5`;

type ParsedResponse = { status: number; headers: Headers; response: Response; data: unknown };

/**
 * Reads a response. `data` is the parsed JSON, or undefined for other media types. Throws ApiError for statuses from 400
 * on.
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
