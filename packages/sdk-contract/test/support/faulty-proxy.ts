import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault, SdkCase } from './cases.ts';

/** One call as an SDK made it: `at` in milliseconds. */
export type Call = { name: string; idempotencyKey: string | undefined; at: number };

const codes: Record<number, string> = { 429: 'rate_limited', 503: 'service_unavailable' };

/**
 * Stands between the SDKs and the gateway. An SDK calls it as `/<sdk>/<case>/v1/...`: the first calls of a case get its
 * faults, in their order, all others go on to the gateway. Every call is kept under `<sdk>/<case>`.
 */
export async function openFaultyProxy(cases: readonly SdkCase[]) {
  const calls = new Map<string, Call[]>();
  const faults = new Map<string, Fault[]>();
  const links: { path: string; hasKey: boolean }[] = [];
  let target = '';
  const server = http.createServer((request, response) => {
    const [, sdk = '', name = '', rest = ''] = /^\/([a-z]+)\/([a-z0-9-]+)(\/v1.*)$/.exec(request.url ?? '') ?? [];
    if (!rest) {
      links.push({ path: request.url ?? '', hasKey: request.headers.authorization !== undefined });
      return void forward(request, response, { url: target + request.url });
    }
    const id = `${sdk}/${name}`;
    const waiting = faults.get(id) ?? [...(cases.find((one) => one.name === name)?.faults ?? [])];
    faults.set(id, waiting);
    note(calls, id, { request, path: rest });
    const at = waiting.findIndex((fault) => (fault.on ?? request.method) === request.method);
    const fault = at === -1 ? undefined : waiting.splice(at, 1)[0];
    if (fault?.status) return void answerFault(request, response, fault);
    forward(request, response, { url: target + rest, isLost: fault?.lost });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What else was asked for: what lies at the links in answers. */
    links,
    /** Where calls go: it knows our address before it has one of its own. */
    leadTo: (url: string) => {
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

function note(calls: Map<string, Call[]>, id: string, { request, path }: { request: IncomingMessage; path: string }) {
  const name = `${request.method} ${path.split('?')[0]}`;
  const key = request.headers['idempotency-key'];
  calls.set(id, [...(calls.get(id) ?? []), { name, idempotencyKey: key?.toString(), at: performance.now() }]);
}

function answerFault(request: IncomingMessage, response: ServerResponse, fault: Fault): void {
  const { status = 500, text } = fault;
  // The body is read first: a server in trouble is slow, not rude.
  request.resume().once('end', () => {
    if (fault.retry_after !== undefined) response.setHeader('retry-after', fault.retry_after);
    if (fault.location) response.setHeader('location', fault.location);
    response.writeHead(status, { 'content-type': text ? 'text/html' : 'application/problem+json' });
    response.end(text ?? JSON.stringify({ code: codes[status] ?? 'odd', status, detail: 'A fault of the test.' }));
  });
}

/** Hand a request on and its answer back; where that is lost, the gateway has answered and nobody hears of it. */
function forward(request: IncomingMessage, response: ServerResponse, to: { url: string; isLost?: boolean }): void {
  const { method, headers } = request;
  let isAnswered = false;
  const sent = http.request(to.url, { method, headers, agent: false }, (answer) => {
    isAnswered = true;
    if (to.isLost) return void answer.resume().once('end', () => request.socket.destroy());
    const respond = () => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    };
    if (request.complete) return respond();
    // A gateway that has refused a body reads no more of it; who is still sending would lose the answer with the connection.
    request.unpipe(sent).resume().once('end', respond);
  });
  sent.on('error', () => {
    if (!isAnswered) request.socket.destroy();
  });
  request.pipe(sent);
}
