import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@uprez/contracts/limits';
import type { SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partHeader } from './support/multipart.ts';
import { sendRaw } from './support/raw-request.ts';
import { startTestGateway, type TestGateway } from './support/start-test-gateway.ts';
import { countTraces } from './support/traces.ts';

let gateway: TestGateway;
let user: SignedIn;
let cookie: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  user = await gateway.signUp();
  const response = await fetch(`${gateway.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password: user.password }),
  });
  cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
});
afterAll(() => gateway.close());

/** The server's ends of the connections that upload, for what was read from them. */
let sockets: Set<Socket>;
const note = (message: unknown) => {
  const { request, socket } = message as { request: { method: string }; socket: Socket };
  if (request.method === 'POST') sockets.add(socket);
};
let before: Record<string, number>;
beforeEach(async () => {
  sockets = new Set();
  diagnostics.subscribe('http.server.request.start', note);
  before = await countTraces(gateway.ctx);
});
afterEach(async () => {
  diagnostics.unsubscribe('http.server.request.start', note);
  await waitUntil(async () => JSON.stringify(await countTraces(gateway.ctx)) === JSON.stringify(before), {
    what: 'nothing of the upload left',
  });
});

/** The largest count of bytes that the server read from one connection, once all are closed. */
async function bytesRead(): Promise<number> {
  await waitUntil(() => [...sockets].every((socket) => socket.destroyed), { what: 'the connections closed' });
  return Math.max(...[...sockets].map((socket) => socket.bytesRead));
}

const MB = 1024 * 1024;
const piece = Buffer.alloc(64 * 1024, 7);
const opening = Buffer.from(partHeader({ name: 'image', filename: 'big.png', type: 'image/png' }, 'b0'));
const ending = Buffer.from('\r\n--b0--\r\n');

/** A form with a file of this size, in pieces. */
function* form(sizeBytes: number): Generator<Buffer> {
  yield opening;
  for (let left = sizeBytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
  yield ending;
}
const formLength = (sizeBytes: number) => opening.length + sizeBytes + ending.length;

/** The same in the chunked coding of HTTP. */
function* chunked(pieces: Iterable<Buffer>): Generator<Buffer> {
  for (const data of pieces)
    yield Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
  yield Buffer.from('0\r\n\r\n');
}

const head = (...rows: string[]) => [
  'POST /api/images/process HTTP/1.1',
  'Content-Type: multipart/form-data; boundary=b0',
  ...rows,
];
const signedIn = (...rows: string[]) => head(`Cookie: ${cookie}`, ...rows);
const sendLength = (sizeBytes: number, declared = formLength(sizeBytes)) =>
  sendRaw({ url: gateway.url, head: signedIn(`Content-Length: ${declared}`), body: form(sizeBytes) });
const sendChunked = (sizeBytes: number) =>
  sendRaw({ url: gateway.url, head: signedIn('Transfer-Encoding: chunked'), body: chunked(form(sizeBytes)) });

describe('an upload that is refused by its head', () => {
  const size = 20 * MB;
  const length = `Content-Length: ${formLength(size)}`;

  it('is not read', async () => {
    const refusals = [
      { head: signedIn(`Content-Length: ${formLength(51 * MB)}`), status: 413, code: 'file_too_large' },
      { head: signedIn(`Content-Length: ${10_000 * MB}`), status: 413, code: 'file_too_large' },
      { head: head(length), status: 401, code: 'not_signed_in' },
      { head: signedIn(length, 'Origin: https://evil.example'), status: 403, code: 'bad_origin' },
      { head: signedIn(length, `Idempotency-Key: ${'k'.repeat(256)}`), status: 422, code: 'invalid_parameter' },
    ];
    const replies = await Promise.all(
      refusals.map((refusal) => sendRaw({ url: gateway.url, head: refusal.head, body: form(51 * MB) })),
    );
    expect(replies.map(({ status, headers }) => ({ status, code: headers.get('x-error-code') }))).toEqual(
      refusals.map(({ status, code }) => ({ status, code })),
    );
    for (const reply of replies) expect(reply.headers.get('connection')).toBe('close');
    expect(await bytesRead()).toBeLessThan(256 * 1024);
  });
});

describe('a file of 51 MB', () => {
  it('is refused at the limit when its length is not declared, also four at once', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => sendChunked(51 * MB)));
    for (const reply of replies) {
      expect(reply.status).toBe(413);
      expect(reply.headers.get('x-error-code')).toBe('file_too_large');
      expect(reply.body).toContain('50 MB');
    }
    expect(await bytesRead()).toBeLessThanOrEqual(limits.uploadBytes + limits.uploadOverreadBytes);
  });

  it('is refused when a smaller length is declared', async () => {
    const reply = await sendLength(51 * MB, 10 * MB);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('x-error-code')).toMatch(/^malformed_(multipart|body)$/);
  });

  it.each(['declared', 'streamed'])('is refused in a way that fetch receives: %s', async (kind) => {
    const whole = new FormData();
    whole.set('image', new Blob([Buffer.alloc(51 * MB, 7)]), 'big.png');
    const streamed: RequestInit & { duplex: 'half' } = {
      body: Readable.toWeb(Readable.from(form(51 * MB))) as ReadableStream,
      duplex: 'half',
      headers: { 'content-type': 'multipart/form-data; boundary=b0' },
    };
    const response = await user.fetch(`${gateway.url}/api/images/process`, {
      method: 'POST',
      ...(kind === 'declared' ? { body: whole } : streamed),
    });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('50 MB');
  });
});

describe('a file of 50 MB', () => {
  it('is not too large', async () => {
    const reply = await sendChunked(limits.uploadBytes);
    expect(reply.status).toBe(415);
  });

  it('is too large with one byte more', async () => {
    expect((await sendLength(limits.uploadBytes + 1)).status).toBe(413);
  });
});

describe('a caller who goes in the middle of an upload', () => {
  const size = 2 * MB;

  /** Send a share of the form, wait until the server has taken that much, and go. */
  async function leave(share: number): Promise<void> {
    const bytes = Buffer.concat([...form(size)]).subarray(0, formLength(size) * share);
    async function* part() {
      yield bytes;
      await waitUntil(() => [...sockets].some((socket) => socket.bytesRead >= bytes.length));
      yield await sleep(0, Buffer.alloc(0));
      throw new Error('gone');
    }
    const request = { url: gateway.url, head: signedIn(`Content-Length: ${formLength(size)}`), body: part() };
    let mine: { destroy: () => void } | undefined;
    await sendRaw({ ...request, onSocket: (socket) => (mine = socket) }).catch(() => {});
    mine?.destroy();
    await waitUntil(() => [...sockets].every((socket) => socket.destroyed));
    sockets.clear();
  }

  it.each([0.1, 0.5, 0.9])('leaves no row, no object and no file, after %d of it, 20 times', async (share) => {
    for (let i = 0; i < 20; i += 1) await leave(share);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });
});
