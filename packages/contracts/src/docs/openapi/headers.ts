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

/** Every header of answers, for references. */
export const headerComponents = (): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(v1AnswerHeaders).map(([name, { says, kind, example }]) => [
      name,
      { description: says, schema: schemas[kind], example: kind === 'count' ? Number(example) : example },
    ]),
  );

/** Every header that requests may have. */
export const requestHeaders = (): Record<string, Parameter> =>
  Object.fromEntries(
    Object.entries(v1RequestHeaders).map(([name, { says, kind }]) => [
      name,
      // No example: consoles would send it.
      { name, in: 'header', description: says, schema: { ...schemas[kind] } },
    ]),
  );

const referTo = (names: readonly V1AnswerHeader[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, refer('headers', name)]));

/** Headers of a call's answers with a status. */
export function answerHeaders(
  name: RouteName,
  { docs, scope, auth }: Endpoint,
  status: number,
): Record<string, Reference> {
  const isError = status >= 400;
  // Who calls is not known before these are answered.
  const isCounted = status !== 401 && status !== 431;
  const tellsCredits =
    auth === 'key' && (scope === 'process' || name === 'v1Account') && status !== 429 && status < 500;
  return referTo([
    'X-Request-Id',
    ...(isCounted && rateClassOf(name) ? rateHeaders : []),
    ...(isCounted && tellsCredits ? creditHeaders : []),
    ...((!isError && docs?.tells) || []),
    ...(isError ? (['X-Error-Code'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]);
}
