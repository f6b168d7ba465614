import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPayments, type Payments } from '../../src/open-payments.ts';
import { getClient } from '../../src/transport/client.ts';

export type ReceivedRequest = {
  method: string;
  path: string;
  /** Flat names as Stripe's form encoding has them, such as `items[0][price]`. */
  params: Record<string, string>;
  key: string | undefined;
  headers: http.IncomingHttpHeaders;
};
/** `hang`: no response. `reset`: the connection is reset. `cut`: it ends in the middle of the body. */
export type Reply = { status?: number; body: unknown; headers?: Record<string, string> } | 'hang' | 'reset' | 'cut';
export type FakeStripe = {
  payments: Payments;
  requests: ReceivedRequest[];
  /** Replies in order. The last one repeats. */
  reply(...replies: Reply[]): void;
  close(): Promise<void>;
};

export const secretKey = 'sk_test_Canary4711';
export const webhookSecrets = ['whsec_CanaryOld', 'whsec_CanaryNew'];

/** Opens an HTTP server that records requests and sends prepared replies, and payments that use it. */
export async function openFakeStripe(options: { timeoutMs?: number; perSecond?: number } = {}): Promise<FakeStripe> {
  const requests: ReceivedRequest[] = [];
  let replies: Reply[] = [];
  const server = http.createServer(async (request, response) => {
    requests.push(await readRequest(request));
    const reply = (replies.length > 1 ? replies.shift() : replies[0]) ?? 'reset';
    if (reply === 'hang') return;
    if (reply === 'reset') return void request.socket.resetAndDestroy();
    if (reply === 'cut') {
      response.writeHead(200, { 'content-length': '1000' }).write('{"id":', () => request.socket.destroy());
      return;
    }
    const { status = 200, body, headers } = reply;
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const payments = openPayments({
    mode: 'test',
    secretKey,
    publishableKey: 'pk_test_1',
    webhookSecrets,
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...options,
  });
  // Without the half second before each retry.
  getClient(payments).stripe.getInitialNetworkRetryDelay = () => 0;
  return {
    payments,
    requests,
    reply: (...next) => {
      replies = next;
      requests.length = 0;
    },
    close: async () => {
      payments.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(request: http.IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://fake');
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  return {
    method: request.method ?? '',
    path: url.pathname,
    params: Object.fromEntries([...url.searchParams, ...form]),
    key: request.headers['idempotency-key'] as string | undefined,
    headers: request.headers,
  };
}
