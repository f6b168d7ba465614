import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@uprez/contracts/policy/limits';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chunked, form, formLength, MB } from '../support/http/long-bodies.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { type WatchedSockets, watchSockets } from '../support/http/watch-sockets.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';

let cookie: string;
const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => gateway.signUp());
beforeAll(async () => {
  const response = await fetch(`${gateway.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: user.email, password: user.password }),
  });
  cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
});

let sockets: WatchedSockets;
let before: Record<string, number>;
beforeEach(async () => {
  sockets = watchSockets();
  before = await countTraces(gateway.ctx);
});
afterEach(async () => {
  sockets.stop();
  await waitUntil(async () => JSON.stringify(await countTraces(gateway.ctx)) === JSON.stringify(before), {
    what: 'nothing of the upload left',
  });
});

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
    expect(await sockets.bytesRead()).toBeLessThan(256 * 1024);
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
    expect(await sockets.bytesRead()).toBeLessThanOrEqual(limits.uploadBytes + limits.uploadOverreadBytes);
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
      await waitUntil(() => [...sockets.open].some((socket) => socket.bytesRead >= bytes.length));
      yield await sleep(0, Buffer.alloc(0));
      throw new Error('gone');
    }
    const request = { url: gateway.url, head: signedIn(`Content-Length: ${formLength(size)}`), body: part() };
    let mine: { destroy: () => void } | undefined;
    await sendRaw({ ...request, onSocket: (socket) => (mine = socket) }).catch(() => {});
    mine?.destroy();
    await waitUntil(() => [...sockets.open].every((socket) => socket.destroyed));
    sockets.open.clear();
  }

  it.each([0.1, 0.5, 0.9])('leaves no row, no object and no file, after %d of it, 20 times', async (share) => {
    for (let i = 0; i < 20; i += 1) await leave(share);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });
});
