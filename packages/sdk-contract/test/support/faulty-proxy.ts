import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { InjectedFailure, SdkCase } from './cases.ts';

/** A recorded request. `at`: milliseconds. */
export type Call = { name: string; idempotencyKey: string | undefined; at: number };

const codes: Record<number, string> = { 429: 'rate_limited', 503: 'service_unavailable' };

/**
 * Opens a proxy between the SDKs and the gateway. SDKs call it as `/<sdk>/<case>/v1/...`. The first requests of a case
 * get its failures, in order. All others are forwarded. Requests are recorded by `<sdk>/<case>`.
 */
export async function openFaultyProxy(cases: readonly SdkCase[]) {
  const calls = new Map<string, Call[]>();
  const failures = new Map<string, InjectedFailure[]>();
  const links: { path: string; hasKey: boolean }[] = [];
  let target = '';
  /** Signed URLs redirect to another path, as they do to a public storage. */
  const sendLink = (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request;
    links.push({ path: url, hasKey: headers.authorization !== undefined });
    const stored = url.startsWith('/stored/') ? url.slice('/stored'.length) : undefined;
    if (stored) forward(request, response, { url: target + stored });
    else response.writeHead(302, { location: `/stored${url}` }).end();
  };
  const server = http.createServer((request, response) => {
    const [, sdk = '', name = '', rest = ''] = /^\/([a-z]+)\/([a-z0-9-]+)(\/v1.*)$/.exec(request.url ?? '') ?? [];
    if (!rest) return void sendLink(request, response);
    const id = `${sdk}/${name}`;
    const waiting = failures.get(id) ?? [...(cases.find((one) => one.name === name)?.failures ?? [])];
    failures.set(id, waiting);
    record(calls, id, { request, path: rest });
    const at = waiting.findIndex((failure) => (failure.on ?? request.method) === request.method);
    const failure = at === -1 ? undefined : waiting.splice(at, 1)[0];
    if (failure?.status) return void sendFailure(request, response, failure);
    if (failure?.async) request.headers.prefer = 'respond-async';
    forward(request, response, { url: target + rest, isLost: failure?.lost });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests to signed URLs. */
    links,
    /** Sets the URL of the gateway, which starts after the proxy. */
    setTarget: (url: string) => {
      target = url;
    },
    callsOf: (sdk: string, name: string) => calls.get(`${sdk}/${name}`) ?? [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function record(calls: Map<string, Call[]>, id: string, { request, path }: { request: IncomingMessage; path: string }) {
  const name = `${request.method} ${path.split('?')[0]}`;
  const key = request.headers['idempotency-key'];
  calls.set(id, [...(calls.get(id) ?? []), { name, idempotencyKey: key?.toString(), at: performance.now() }]);
}

function sendFailure(request: IncomingMessage, response: ServerResponse, failure: InjectedFailure): void {
  const { status = 500, text } = failure;
  // Read the body first, as a real server would.
  request.resume().once('end', () => {
    if (failure.retry_after !== undefined) response.setHeader('retry-after', failure.retry_after);
    if (failure.location) response.setHeader('location', failure.location);
    response.writeHead(status, { 'content-type': text ? 'text/html' : 'application/problem+json' });
    response.end(text ?? JSON.stringify({ code: codes[status] ?? 'odd', status, detail: 'Injected by the test.' }));
  });
}

/** Forwards a request. `isLost`: close the connection instead of sending the response. */
function forward(request: IncomingMessage, response: ServerResponse, to: { url: string; isLost?: boolean }): void {
  const { method, headers } = request;
  let hasResponse = false;
  const sent = http.request(to.url, { method, headers, agent: false }, (reply) => {
    hasResponse = true;
    if (to.isLost) return void reply.resume().once('end', () => request.socket.destroy());
    const respond = () => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    };
    if (request.complete) return respond();
    // The gateway stops reading a rejected body. Drain it, because the client would lose the response otherwise.
    request.unpipe(sent).resume().once('end', respond);
  });
  sent.on('error', () => {
    if (!hasResponse) request.socket.destroy();
  });
  request.pipe(sent);
}
