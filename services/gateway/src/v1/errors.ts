import type { Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { AppError } from '@uprez/contracts/errors/app-error';
import { errorHints } from '@uprez/contracts/errors/error-hints';
import { problemMediaType } from '@uprez/contracts/errors/problem';
import { toSnakeCase } from '@uprez/contracts/v1/fields';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { routeOf } from '../http/contract.ts';
import { apiErrors, type ErrorFormat, makeErrorHandler, presentProblem, sendProblem } from '../http/handle-error.ts';
import { absoluteUrl, documentationUrl } from '../http/public-links.ts';
import type { makeBadUrlHandler, RawPresenter } from '../http/register-rejections.ts';
import { describeIssue, findRepeatError, type SchemaError } from '../http/validate.ts';
import { isV1 } from './paths.ts';
import { toSnakeCaseNames } from './presenters.ts';

type ErrorConfig = Pick<Config, 'PUBLIC_URL'>;

/** How `/v1` sends errors: always as problem documents, with hints and links. */
export const v1Errors = (config: ErrorConfig): ErrorFormat => ({
  unsupportedType,
  invalidInput,
  send: (reply, error) => {
    if (error.status === 401) reply.header('www-authenticate', 'Bearer');
    const id = String(reply.getHeader('x-request-id') ?? reply.request.id);
    return sendProblem(reply, presentV1Problem(error, { id, config }));
  },
});

export function unsupportedType(request: FastifyRequest): AppError {
  const name = routeOf(request)?.name;
  const { docs }: Partial<Endpoint> = name ? endpoints[name] : {};
  const allowed = Object.keys(docs?.requestBodies ?? { 'application/json': true });
  return new AppError('unsupported_media_type', { param: 'Content-Type', allowed });
}

function invalidInput({ issue, validationContext }: SchemaError, request: FastifyRequest): AppError {
  const part = validationContext === 'params' || validationContext === 'body' ? validationContext : 'query';
  const repeat = part === 'query' ? findRepeatError(issue ?? {}, request.query) : undefined;
  return repeat ?? describeIssue(issue ?? {}, request[part]);
}

/** Returns an error as a problem document, with the request ID, a hint, and a link to the documentation of its code. */
export function presentV1Problem(error: AppError, { id, config }: { id: string; config: ErrorConfig }) {
  const { code, meta, allowed } = error;
  // The default hint for `invalid_parameter` refers to `allowed`, so it is omitted if `allowed` is absent.
  const hint = error.hint ?? (code === 'invalid_parameter' && allowed === undefined ? undefined : errorHints[code]);
  return {
    ...(toSnakeCaseNames(presentProblem(error)) as object),
    ...(Array.isArray(allowed) && {
      allowed: allowed.map((name: unknown) => (isCamelCaseName(name) ? toSnakeCase(name) : name)),
    }),
    ...(meta && { meta: toSnakeCaseNames(withAbsoluteUrls(meta, config)) }),
    ...(hint && { hint }),
    ...(typeof meta?.maxFactor === 'number' && { max_scale: meta.maxFactor }),
    request_id: id,
    documentation_url: documentationUrl(config, code),
  };
}

/** Makes the URLs of upgrade pages in error details absolute. `/api` sends them as paths. */
const withAbsoluteUrls = (meta: Record<string, unknown>, config: ErrorConfig) =>
  Object.fromEntries(
    Object.entries(meta).map(([name, value]) => [
      name,
      (name === 'upgradeUrl' || name === 'packsUrl') && typeof value === 'string' ? absoluteUrl(config, value) : value,
    ]),
  );

const isCamelCaseName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z]+[A-Z][A-Za-z]*$/.test(value);

/** Returns a function that picks the error handler of the API that a URL belongs to. */
export function pickErrorHandler(config: ErrorConfig): Parameters<typeof makeBadUrlHandler>[0] {
  const [api, v1] = [makeErrorHandler(apiErrors), makeErrorHandler(v1Errors(config))];
  return (request) => (isV1(request) ? v1 : api);
}

const requestLinePattern = /^[A-Z]+ \/(?:api\/)?v1(?:\/|\?| )/;

export const rawPresenter =
  (config: ErrorConfig): RawPresenter =>
  (error, sent, id) =>
    requestLinePattern.test(sent)
      ? { type: problemMediaType, body: JSON.stringify(presentV1Problem(error, { id, config })) }
      : { type: 'text/plain; charset=utf-8', body: error.message };
