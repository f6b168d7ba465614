import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type Heard = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };
type Answer = (response: ServerResponse, heard: Heard) => void;
/** `forget`: keep no bodies from now on. */
export type Stub = {
  url: string;
  heard: Heard[];
  answer: (...answers: Answer[]) => void;
  forget: () => void;
  close: () => Promise<void>;
};

/** A server that gives the answers it was told, one after the other, and keeps what it heard. */
export async function openStub(): Promise<Stub> {
  const heard: Heard[] = [];
  const answers: Answer[] = [];
  let isForgetful = false;
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body: isForgetful ? await drain(request) : await buffer(request) };
    heard.push(call);
    (answers.shift() ?? json(500, { code: 'internal' }))(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer: (...more) => answers.push(...more),
    forget: () => {
      isForgetful = true;
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
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
/** No answer at all. */
export const broken: Answer = (response) => {
  response.destroy();
};
/** The beginning of a file, and no more. */
export const cutShort: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' }).write('half');
  setImmediate(() => response.destroy());
};
export const file =
  (text: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-length': String(Buffer.byteLength(text)) }).end(text);
  };
