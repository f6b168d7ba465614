import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';

export type Call = { host: string; path: string; headers: Record<string, string>; body: string; at: number };
export type Answer = (response: ServerResponse, call: Call, request: IncomingMessage) => void;

/** Opens a webhook receiver for all hosts below `images.example`. It responds by host, with 204 by default. */
export async function openReceiver(answers: Record<string, Answer> = {}) {
  const calls: Call[] = [];
  const site = await openTlsSite((request, response) => {
    void text(request).then((body) => {
      const host = request.headers.host ?? '';
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const call = { host, path: request.url ?? '', headers, body, at: Date.now() };
      calls.push(call);
      const answer = answers[host.split('.')[0] ?? ''];
      if (answer) answer(response, call, request);
      else response.writeHead(204).end();
    });
  });
  return { ...site, calls, callsOf: (name: string) => calls.filter(({ host }) => host.startsWith(`${name}.`)) };
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
