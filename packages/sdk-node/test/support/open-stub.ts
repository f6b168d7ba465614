import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type StubRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };
type Reply = (response: ServerResponse, request: StubRequest) => void;
export type Stub = {
  url: string;
  requests: StubRequest[];
  /** Adds the next responses. */
  reply: (...replies: Reply[]) => void;
  /** Stops recording bodies. */
  discardBodies: () => void;
  close: () => Promise<void>;
};

/** Opens a server that sends the given responses in order and records the requests. */
export async function openStub(): Promise<Stub> {
  const requests: StubRequest[] = [];
  const replies: Reply[] = [];
  let isDiscarding = false;
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const recorded = { method, url, headers, body: isDiscarding ? await drain(request) : await buffer(request) };
    requests.push(recorded);
    (replies.shift() ?? json(500, { code: 'internal' }))(response, recorded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply: (...more) => replies.push(...more),
    discardBodies: () => {
      isDiscarding = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function drain(request: IncomingMessage): Promise<Buffer> {
  for await (const _ of request);
  return Buffer.alloc(0);
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
/** Closes the connection without a response. */
export const dropped: Reply = (response) => {
  response.destroy();
};
/** Closes the connection in the middle of the body. */
export const interrupted: Reply = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('half');
  setImmediate(() => response.destroy());
};
export const file =
  (text: string): Reply =>
  (response) => {
    response.writeHead(200, { 'content-length': String(Buffer.byteLength(text)) }).end(text);
  };
