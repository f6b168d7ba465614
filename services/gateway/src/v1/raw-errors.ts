import { problemMediaType } from '@uprez/contracts/errors/problem';
import type { Config } from '../config.ts';
import { apiErrors, makeErrorHandler } from '../http/handle-error.ts';
import type { makeAddressRejection, RawPresenter } from '../http/refuse-raw.ts';
import { presentV1Problem, v1Errors } from './errors.ts';
import { isV1 } from './paths.ts';

type ErrorConfig = Pick<Config, 'PUBLIC_URL'>;

/** Picks the error handler for a request that no route received. */
export function pickErrorHandler(config: ErrorConfig): Parameters<typeof makeAddressRejection>[0] {
  const [api, v1] = [makeErrorHandler(apiErrors), makeErrorHandler(v1Errors(config))];
  return (request) => (isV1(request) ? v1 : api);
}

const requestLine = /^[A-Z]+ \/(?:api\/)?v1(?:\/|\?| )/;

/** Presents errors for bytes that are not a valid HTTP request. */
export const rawPresenter =
  (config: ErrorConfig): RawPresenter =>
  (error, sent, id) =>
    requestLine.test(sent)
      ? { type: problemMediaType, body: JSON.stringify(presentV1Problem(error, { id, config })) }
      : { type: 'text/plain; charset=utf-8', body: error.message };
