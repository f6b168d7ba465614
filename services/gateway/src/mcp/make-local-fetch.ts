import type { FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Config } from '../config.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** Statuses whose responses have no body. */
const bodiless = [204, 205, 304];
/** Headers by which requests are attributed to a caller. */
const attributing = ['host', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Makes a `fetch` that sends requests to this process on behalf of the caller of another request. They pass the same hooks
 * as requests from the network, as if the caller's computer or proxy had sent them.
 */
export function makeLocalFetch(
  app: App,
  { COUNTRY_HEADER }: Pick<Config, 'COUNTRY_HEADER'>,
  { headers: own, ip, socket }: FastifyRequest,
): typeof fetch {
  const names = [...attributing, COUNTRY_HEADER].filter((name) => own[name] !== undefined);
  const caller = Object.fromEntries(names.map((name) => [name, own[name]]));
  // Once the client is gone, the socket has no address.
  const remoteAddress = socket.remoteAddress ?? ip;
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    init.signal?.throwIfAborted();
    const response = await app.inject({
      method: (init.method ?? 'GET') as Method,
      url: pathname + search,
      headers: { ...(init.headers as Record<string, string>), ...caller },
      remoteAddress,
      ...(init.body && { payload: readPayload(init.body) }),
    });
    init.signal?.throwIfAborted();
    const { statusCode: status, rawPayload } = response;
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(bodiless.includes(status) ? null : new Uint8Array(rawPayload), { status, headers });
  };
}

/** The client of the API sends texts and bytes. */
function readPayload(body: unknown): string | Buffer {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new Error('This body cannot be sent within the process.');
}
