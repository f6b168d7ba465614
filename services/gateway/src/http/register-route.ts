import type { FastifyBodyParser } from 'fastify';
import type { App } from '../app-type.ts';
import { urlEncoded } from './bodies/request-bodies.ts';
import type { AnyHandler, contract } from './contract.ts';

/**
 * How an endpoint gets a body that isn't parsed as JSON:
 * - `all`: the endpoint reads every body itself.
 * - `files`: the endpoint reads every body itself, except JSON.
 * - `form`: the endpoint gets the parsed fields of a URL-encoded form.
 */
export type RawBody = 'all' | 'files' | 'form';

/** If a field is repeated, its last value is used. */
const parseForm: FastifyBodyParser<string> = (_request, body, ready) =>
  ready(null, Object.fromEntries(new URLSearchParams(body)));

type ServedEndpoint = { handler: AnyHandler; rawBody?: RawBody | undefined };

/** Registers an endpoint. `rawBody`: how it gets bodies that aren't parsed as JSON. */
export function registerRoute(app: App, row: ReturnType<typeof contract>, { handler, rawBody }: ServedEndpoint): void {
  const route = { ...row, ...(typeof handler === 'function' ? { handler } : handler) };
  if (!rawBody) return void app.route(route);
  app.register((scope, _options, done) => {
    if (rawBody === 'all') scope.removeContentTypeParser('application/json');
    if (rawBody === 'form') scope.addContentTypeParser(urlEncoded, { parseAs: 'string' }, parseForm);
    else scope.addContentTypeParser('*', (_request, _body, ready) => ready(null));
    scope.route(route);
    done();
  });
}
