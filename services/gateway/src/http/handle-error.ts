import { routes } from '@uprez/contracts/endpoints/routes';
import { AppError, formatChargeableMessage } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { errorCodeHeader, type Problem, problemMediaType } from '@uprez/contracts/errors/problem';
import { isDatabaseUnavailable } from '@uprez/domain/open-connections';
import { reportLimitOf } from '@uprez/domain/report-limit';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endDisconnected, isDisconnect } from './connections.ts';
import { routeOf } from './contract.ts';
import { maskFor } from './mask-emails.ts';
import { allowedValuesOf, describeAllowedValues, findRepeatError, limitOfIssue, SchemaError } from './validate.ts';

const fastifyCodes: Record<string, AppError['code']> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_BODY_TOO_LARGE: 'malformed_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_body',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

/** Whether the sandbox triggered an error on purpose. Such errors aren't reported. */
const isSandboxError = ({ meta }: AppError) => meta?.sandbox === true;

/** Wording and format of the errors of one of the two APIs. */
export type ErrorFormat = {
  unsupportedType: (request: FastifyRequest) => AppError;
  invalidInput: (error: SchemaError, request: FastifyRequest) => AppError;
  send: (reply: FastifyReply, error: AppError) => FastifyReply;
};

function invalidInput({ issue, validationContext }: SchemaError, request: FastifyRequest): AppError {
  const repeat = validationContext === 'querystring' ? findRepeatError(issue ?? {}, request.query) : undefined;
  if (repeat) return repeat;
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0]?.slice(0, 40) : undefined;
  const param = (issue?.path.join('/') || unknownKey || 'body').slice(0, 100);
  const detail = unknownKey
    ? `Unknown parameter "${param}".`
    : issue?.message || describeAllowedValues(param, allowedValuesOf(issue ?? {}));
  return new AppError('invalid_parameter', { detail, param, limitName: limitOfIssue(issue ?? {}) });
}

export const presentProblem = ({ code, status, message, param, allowed, got, meta }: AppError): Problem => ({
  code,
  status,
  detail: message,
  ...(param === undefined ? {} : { param }),
  ...(allowed === undefined ? {} : { allowed }),
  ...(got === undefined ? {} : { got }),
  ...(meta === undefined ? {} : { meta }),
});

/** Sends a problem document as a string, which bypasses the response schema of the route. */
export const sendProblem = (reply: FastifyReply, problem: object): FastifyReply =>
  reply
    .type(problemMediaType)
    .serializer((payload: unknown) => String(payload))
    .send(JSON.stringify(problem));

/** Errors of `/api`: a problem document for clients that accept it, otherwise the message as plain text. */
export const apiErrors: ErrorFormat = {
  unsupportedType: () => new AppError('malformed_body'),
  invalidInput,
  send: (reply, error) =>
    reply.request.headers.accept?.includes(problemMediaType)
      ? sendProblem(reply, maskFor(reply.request, presentProblem(error)))
      : reply.type('text/plain; charset=utf-8').send(maskFor(reply.request, error.message)),
};

/** Details of unknown errors are not disclosed. */
function toAppError(error: unknown, request: FastifyRequest, adapter: ErrorFormat): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) return new AppError('service_unavailable', { cause: error });
  if (error instanceof SchemaError) return adapter.invalidInput(error, request);
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return adapter.unsupportedType(request);
  const known = Object.hasOwn(fastifyCodes, code) ? fastifyCodes[code] : undefined;
  const limitName = code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? 'json_size' : undefined;
  if (known) return new AppError(known, { limitName, cause: error });
  if (code.startsWith('FST_') && statusCode < 500) return new AppError('malformed_body', { cause: error });
  return new AppError('internal', { cause: error });
}

/** Headers of a file that a route may have set before it failed. They don't apply to the error. */
const fileHeaders = [
  'etag',
  'cache-control',
  'content-disposition',
  'content-range',
  'content-length',
  'accept-ranges',
];

/** Sends errors in the format of one API. The code is always in the header `x-error-code`. */
export const makeErrorHandler = (adapter: ErrorFormat) =>
  function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    if (isDisconnect(error, request)) return void endDisconnected(request, reply);
    const known = toAppError(error, request, adapter);
    const appError = routeOf(request)?.charges ? known.with({ detail: formatChargeableMessage(known) }) : known;
    const { code, status } = appError;
    const size = code === 'range_not_satisfiable' ? reply.getHeader('content-range') : undefined;
    // Reaching a limit isn't an outage.
    if (errorCodes[code].report && !isSandboxError(appError) && !appError.limitName)
      request.log.error({ err: error, reqId: request.id, code }, 'request failed');
    if (!isSandboxError(appError)) reportLimitOf(appError);
    for (const name of fileHeaders) reply.removeHeader(name);
    if (size !== undefined) reply.header('content-range', size);
    reply.status(status).header(errorCodeHeader, code);
    if (status === 503 || status === 429) reply.header('retry-after', String(appError.meta?.retryAfterS ?? 5));
    return adapter.send(reply, appError);
  };

const rows = Object.values(routes).map(({ method, path }) => ({
  method,
  path,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
}));

function findMethods(app: FastifyInstance, url: string): string[] {
  const requested = url.split(/[?#]/)[0] ?? '';
  const found = rows.filter(({ pattern }) => pattern.test(requested));
  return [
    ...new Set(
      found.flatMap(({ method, path }) =>
        method === 'GET' && app.hasRoute({ method: 'HEAD', url: path }) ? ['GET', 'HEAD'] : [method],
      ),
    ),
  ];
}

const otherVersionPattern = /^\/(api\/)?v(?!1[/?]|1$)\d+([/?]|$)/;
const onlyVersionDetail = 'Not found. The only version of the API is v1.';

/**
 * Returns the error for a request without a route. If the URL has endpoints with other methods, returns
 * `method_not_allowed` and lists the methods in `Allow` (RFC 9110, 15.5.6). Otherwise, returns `not_found`.
 */
export function describeMissingRoute({ server, url, method }: FastifyRequest, reply: FastifyReply): AppError {
  const methods = findMethods(server, url).join(', ');
  if (methods === '')
    return new AppError('not_found', otherVersionPattern.test(url) ? { detail: onlyVersionDetail } : {});
  reply.header('allow', methods);
  const detail = `This URL doesn't support ${method}. Use ${methods}.`;
  return new AppError('method_not_allowed', { detail, hint: `Use ${methods}.` });
}
