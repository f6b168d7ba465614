import { problemMediaType } from './problem-names.ts';
import { readFailure } from './read-failure.ts';

/** What every call says it accepts: JSON answers, errors as problem documents. */
export const accept = `${problemMediaType}, application/json, */*;q=0.5`;

type ReadAnswer = { status: number; headers: Headers; response: Response; data: unknown };

/**
 * Read an answer below 400: `data` is its JSON, undefined for any other media, whose body is left to the caller.
 * Throws ApiError for the others.
 */
export async function readAnswer(response: Response): Promise<ReadAnswer> {
  const { status, statusText, headers } = response;
  if (status >= 400) {
    const header = (name: string) => headers.get(name) ?? undefined;
    throw readFailure({ status, statusText, header, body: await response.text() });
  }
  const isJson = (headers.get('content-type') ?? '').includes('json');
  const data: unknown = isJson ? await response.json() : undefined;
  return { status, headers, response, data };
}
