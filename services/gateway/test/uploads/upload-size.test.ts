import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { isFullRun } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cookieOf } from '../support/batches.ts';
import { bytesOf, chunked, form, formLength, MB } from '../support/http/long-bodies.ts';
import { type RawReply, sendRaw } from '../support/http/raw-request.ts';
import { type WatchedSockets, watchSockets } from '../support/http/watch-sockets.ts';
import { shareTestGateway } from '../support/share-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { openV1Caller } from '../support/v1-calls.ts';

let cookie: string;
const gateway = shareTestGateway();
const user = fileFixture(() => gateway.signUp());
beforeAll(async () => {
  cookie = await cookieOf(gateway, user);
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
    what: 'the upload to be deleted',
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

describe('an upload that its headers make invalid', () => {
  const size = 20 * MB;
  const length = `Content-Length: ${formLength(size)}`;

  it('returns an error without reading the body', async () => {
    const rejected = [
      { head: signedIn(`Content-Length: ${formLength(51 * MB)}`), status: 413, code: 'file_too_large' },
      { head: signedIn(`Content-Length: ${10_000 * MB}`), status: 413, code: 'file_too_large' },
      { head: head(length), status: 401, code: 'not_signed_in' },
      { head: signedIn(length, 'Origin: https://evil.example'), status: 403, code: 'bad_origin' },
      { head: signedIn(length, `Idempotency-Key: ${'k'.repeat(256)}`), status: 422, code: 'invalid_parameter' },
    ];
    const replies = await Promise.all(
      rejected.map((request) => sendRaw({ url: gateway.url, head: request.head, body: form(51 * MB) })),
    );
    expect(replies.map(({ status, headers }) => ({ status, code: headers.get('x-error-code') }))).toEqual(
      rejected.map(({ status, code }) => ({ status, code })),
    );
    for (const reply of replies) expect(reply.headers.get('connection')).toBe('close');
    expect(await sockets.bytesRead()).toBeLessThan(256 * 1024);
  });
});

describe('a file of 51 MB', () => {
  it('returns 413 at the limit without Content-Length, also for 4 concurrent uploads', async () => {
    const replies = await Promise.all([1, 2, 3, 4].map(() => sendChunked(51 * MB)));
    for (const reply of replies) {
      expect(reply.status).toBe(413);
      expect(reply.headers.get('x-error-code')).toBe('file_too_large');
      expect(reply.body).toContain('50 MB');
    }
    expect(await sockets.bytesRead()).toBeLessThanOrEqual(limits.uploadBytes + limits.uploadOverreadBytes);
  });

  it('returns 400 with a Content-Length that is too small', async () => {
    const reply = await sendLength(51 * MB, 10 * MB);
    expect(reply.status).toBe(400);
    expect(reply.headers.get('x-error-code')).toMatch(/^malformed_(multipart|body)$/);
  });

  it.each(['declared', 'streamed'])('returns a 413 that fetch receives: %s', async (kind) => {
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
  it('is within the limit', async () => {
    const reply = await sendChunked(limits.uploadBytes);
    expect(reply.status).toBe(415);
  });

  it('returns 413 with one byte more', async () => {
    expect((await sendLength(limits.uploadBytes + 1)).status).toBe(413);
  });
});

describe('an upload whose client disconnects', () => {
  const size = 2 * MB;
  const times = isFullRun ? 200 : 20;

  /** Sends a share of the form, waits until the server has read it, and disconnects. */
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

  it.each([0.1, 0.5, 0.9])(`after %d of the body leaves no rows, objects, or files, ${times} times`, async (share) => {
    for (let i = 0; i < times; i += 1) await leave(share);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });
});

describe('POST /v1/process', () => {
  const limit = currentPlans.api_basic.uploadBytes.api;
  const isForm = 'Content-Type: multipart/form-data; boundary=b0';
  const isImage = 'Content-Type: image/png';
  const isChunked = 'Transfer-Encoding: chunked';

  const caller = fileFixture(() => openV1Caller(gateway));

  const send = (head: string[], body: Iterable<Buffer>, path = '/v1/process') =>
    sendRaw({
      url: gateway.url,
      head: [`POST ${path} HTTP/1.1`, `Authorization: Bearer ${caller.key}`, ...head],
      body,
    });
  const outcome = ({ status, body }: RawReply) => [status, JSON.parse(body).code];

  // At once, since the gateway keeps each connection open for a while to let the client read the error.
  it('returns an error for an invalid upload without reading the body', async () => {
    const long = `Content-Length: ${formLength(limit + MB)}`;
    type Invalid = { head: string[]; expected: [number, string]; path?: string };
    const invalid: Record<string, Invalid> = {
      'a form that is too long': { head: [isForm, long], expected: [413, 'file_too_large'] },
      'an image that is too long': { head: [isImage, long], expected: [413, 'file_too_large'] },
      'JSON that is too long': { head: ['Content-Type: application/json', long], expected: [413, 'file_too_large'] },
      'plain text': { head: ['Content-Type: text/plain', long], expected: [415, 'unsupported_media_type'] },
      'a compressed image': {
        head: [isImage, long, 'Content-Encoding: gzip'],
        expected: [415, 'unsupported_encoding'],
      },
      'an invalid parameter': {
        head: [isImage, long],
        expected: [422, 'invalid_parameter'],
        path: '/v1/process?scale=x',
      },
      'an idempotency key that is too long': {
        head: [isForm, long, `Idempotency-Key: ${'k'.repeat(256)}`],
        expected: [422, 'invalid_parameter'],
      },
      'a form for a batch': {
        head: [isForm, `Content-Length: ${200 * limit}`],
        expected: [413, 'file_too_large'],
        path: '/v1/bulk',
      },
    };
    const replies = await Promise.all(
      Object.values(invalid).map(({ head, path }) => send(head, bytesOf(limit + MB), path)),
    );
    for (const [at, [what, { expected }]] of Object.entries(invalid).entries()) {
      expect(outcome(replies[at] as RawReply), what).toEqual(expected);
      expect(replies[at]?.headers.get('connection'), what).toBe('close');
    }
    expect(await sockets.bytesRead()).toBeLessThan(256 * 1024);
  });

  describe('a file of 101 MB', () => {
    it.each<[string, string, () => Iterable<Buffer>]>([
      ['form', isForm, () => form(limit + MB)],
      ['body', isImage, () => bytesOf(limit + MB)],
    ])(
      'in a %s without Content-Length returns 413 at the limit, also for 2 concurrent uploads',
      async (_what, type, body) => {
        const replies = await Promise.all([1, 2].map(() => send([type, isChunked], chunked(body()))));
        for (const reply of replies) expect(outcome(reply)).toEqual([413, 'file_too_large']);
        for (const { body: text } of replies) expect(JSON.parse(text).detail).toContain('100 MB');
        expect(await sockets.bytesRead()).toBeLessThanOrEqual(limit + limits.uploadOverreadBytes);
      },
    );

    it('with a Content-Length that is too small is read no further', async () => {
      const tooSmall = [isForm, isImage].map((type) => send([type, `Content-Length: ${MB}`], form(limit + MB)));
      for (const { status } of await Promise.all(tooSmall)) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(status).toBeLessThan(500);
      }
      // Bytes that arrived before the mismatch was detected are discarded.
      expect(await sockets.bytesRead()).toBeLessThan(limit / 10);
    });
  });

  it('a file of exactly 100 MB is within the limit', async () => {
    const replies = [
      await send([isImage, `Content-Length: ${limit}`], bytesOf(limit)),
      await send([isForm, isChunked], chunked(form(limit))),
    ];
    expect(replies.map(outcome)).toEqual([
      [415, 'unsupported_format'],
      [415, 'unsupported_format'],
    ]);
  });
});
