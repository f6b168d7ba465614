import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { RouteName } from '../../endpoints/routes.ts';
import { rateClassOf } from '../../policy/rate-limits.ts';
import {
  creditHeaders,
  rateHeaders,
  type V1AnswerHeader,
  v1AnswerHeaders,
  v1RequestHeaders,
} from '../../v1/headers.ts';
import { type Parameter, type Reference, refer } from './open-api.ts';

const schemas = {
  text: { type: 'string' },
  count: { type: 'integer', minimum: 0 },
  time: { type: 'string', format: 'date-time' },
  uuid: { type: 'string', format: 'uuid' },
} as const;

/** Makes the header components of the document. */
export const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(v1AnswerHeaders).map(([name, { description, kind, example }]) => [
      name,
      { description, schema: schemas[kind], example: kind === 'count' ? Number(example) : example },
    ]),
  );

/** Makes the parameter components of the request headers. */
export const requestHeaders = (): Record<string, Parameter> =>
  Object.fromEntries(
    Object.entries(v1RequestHeaders).map(([name, { description, kind }]) => [
      name,
      // No example, because API consoles would send it.
      { name, in: 'header', description, schema: { ...schemas[kind] } },
    ]),
  );

const referTo = (names: readonly V1AnswerHeader[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, refer('headers', name)]));

/** Lists the headers of an endpoint's response with a status. */
export function answerHeaders(
  name: RouteName,
  { docs, scope, auth }: Endpoint,
  status: number,
): Record<string, Reference> {
  const isError = status >= 400;
  // These responses precede authentication.
  const isCounted = status !== 401 && status !== 431;
  const hasCredits = auth === 'key' && (scope === 'process' || name === 'v1Account') && status !== 429 && status < 500;
  return referTo([
    'X-Request-Id',
    ...(isCounted && rateClassOf(name) ? rateHeaders : []),
    ...(isCounted && hasCredits ? creditHeaders : []),
    ...((!isError && docs?.responseHeaders) || []),
    ...(isError ? (['X-Error-Code'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]);
}
