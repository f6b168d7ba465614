import { AppError } from '@uprez/contracts/errors/app-error';
import { chargeableMessage } from '@uprez/contracts/errors/chargeable-message';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { errorCodeHeader, problemMediaType } from '@uprez/contracts/errors/problem';
import { isDatabaseUnavailable } from '@uprez/db/is-database-unavailable';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { Config } from '../config.ts';
import { answerEarly } from './answer-early.ts';
import { describeIssue, isMachineText, mustBe } from './describe-issue.ts';
import { presentProblem, presentV1Problem } from './present-problem.ts';
import { readTypes } from './read-types.ts';
import { routeOf } from './route-of.ts';
import { isV1 } from './v1.ts';

/** Fastify's own refusals of a request, and what they are called here. */
const fastifyCodes: Record<string, AppError['code']> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'malformed_body',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_BODY_TOO_LARGE: 'malformed_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_body',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

const sentenceOf = (param: string, message = '') => (isMachineText(message) ? mustBe(param, undefined) : message);

/** The sandbox was asked for this error: nobody need hear of it. */
const isForced = ({ meta }: AppError) => meta?.sandbox === true;

/** The public API tells a body of the wrong type from one that cannot be read. */
const wrongType = (request: FastifyRequest) =>
  new AppError('unsupported_media_type', { param: 'Content-Type', allowed: readTypes(request) });

/** The first name that a schema does not know. */
function unknownKey(params: Record<string, unknown> = {}): string | undefined {
  const { keys } = params as { keys?: unknown };
  return Array.isArray(keys) ? String(keys[0]).slice(0, 40) : undefined;
}

/** What a schema found wrong in a call of the public API, which hears what would be right, and what it sent. */
function ofV1Schema({ validation: [first], validationContext }: V1SchemaError, request: FastifyRequest): AppError {
  const { instancePath = '', keyword, message, params } = first ?? {};
  const path = instancePath.split('/').slice(1).filter(Boolean);
  const sent =
    validationContext === 'body' ? request.body : request[validationContext === 'params' ? 'params' : 'query'];
  return describeIssue({ ...params, code: keyword, message, path }, sent);
}

type V1SchemaError = {
  validation: { instancePath: string; keyword: string; message?: string; params?: Record<string, unknown> }[];
  validationContext?: string | undefined;
};

/** Any thrown thing as a public error; what is not known stays unknown to the caller. */
function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) return new AppError('service_unavailable', { cause: error });
  if (hasZodFastifySchemaValidationErrors(error)) {
    if (isV1(request)) return ofV1Schema(error as unknown as V1SchemaError, request);
    const [first] = error.validation;
    const param = (first?.instancePath.replace(/^\//, '') || unknownKey(first?.params) || 'body').slice(0, 100);
    return new AppError('invalid_parameter', { detail: sentenceOf(param, first?.message), param });
  }
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>;
  const known = Object.hasOwn(fastifyCodes, code) ? fastifyCodes[code] : undefined;
  if (known) return new AppError(known, { cause: error });
  if (code.startsWith('FST_') && statusCode < 500) return new AppError('malformed_body', { cause: error });
  return new AppError('internal', { cause: error });
}

/** What a route may have said of a file before it failed; of an error it is not true, and nobody may keep it. */
const fileHeaders = [
  'etag',
  'cache-control',
  'content-disposition',
  'content-range',
  'content-length',
  'accept-ranges',
];

/**
 * Answer an error: problem+json to callers that accept it and to all of the public API, else its sentence as text; the
 * code is always in a header.
 */
export const makeErrorHandler = (config: Pick<Config, 'PUBLIC_URL'>) =>
  function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isWrongType = (error as Partial<FastifyError>).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    const known = isWrongType && isV1(request) ? wrongType(request) : toAppError(error, request);
    const appError = routeOf(request)?.charges ? known.with({ detail: chargeableMessage(known) }) : known;
    const { code, status } = appError;
    if (errorCodes[code].report && !isForced(appError))
      request.log.error({ err: error, reqId: request.id, code }, 'a request failed');
    answerEarly(request, reply);
    for (const name of fileHeaders) reply.removeHeader(name);
    reply.status(status).header(errorCodeHeader, code);
    if (status === 503 || status === 429) reply.header('retry-after', String(appError.meta?.retryAfterS ?? 5));
    if (status === 401 && isV1(request)) reply.header('www-authenticate', 'Bearer');
    if (!isV1(request) && !request.headers.accept?.includes(problemMediaType))
      return reply.type('text/plain; charset=utf-8').send(appError.message);
    const problem = isV1(request)
      ? presentV1Problem(appError, { id: String(reply.getHeader('x-request-id') ?? request.id), config })
      : presentProblem(appError);
    // A plain text body keeps the route's reply schema out of it.
    return reply
      .type(problemMediaType)
      .serializer((payload: unknown) => String(payload))
      .send(JSON.stringify(problem));
  };
