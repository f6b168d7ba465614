import { limits } from '@uprez/contracts/policy/limits';
import { plans } from '@uprez/contracts/policy/plans';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, chunked, form, formLength, MB } from '../support/http/long-bodies.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { type WatchedSockets, watchSockets } from '../support/http/watch-sockets.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { openV1Caller } from '../support/v1-calls.ts';

const limit = plans.api_basic.uploadBytes.api;
const isForm = 'Content-Type: multipart/form-data; boundary=b0';
const isImage = 'Content-Type: image/png';
const isChunked = 'Transfer-Encoding: chunked';

let sockets: WatchedSockets;
let before: Record<string, number>;
const gateway = fileFixture(() => startTestGateway());
const caller = fileFixture(() => openV1Caller(gateway));
beforeEach(async () => {
  before = await countTraces(gateway.ctx);
  sockets = watchSockets();
});
afterEach(async () => {
  sockets.stop();
  await waitUntil(async () => JSON.stringify(await countTraces(gateway.ctx)) === JSON.stringify(before), {
    what: 'nothing of the upload left',
  });
});

const send = (head: string[], body: Iterable<Buffer>, path = '/v1/process') =>
  sendRaw({
    url: gateway.url,
    head: [`POST ${path} HTTP/1.1`, `Authorization: Bearer ${caller.key}`, ...head],
    body,
  });
const outcome = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, JSON.parse(body).code];

describe('an upload that is refused by its head', () => {
  const long = `Content-Length: ${formLength(limit + MB)}`;
  it.each<[string, { head: string[]; expected: [number, string]; path?: string }]>([
    ['a form that is too long', { head: [isForm, long], expected: [413, 'file_too_large'] }],
    ['an image that is too long', { head: [isImage, long], expected: [413, 'file_too_large'] }],
    ['a JSON that is too long', { head: ['Content-Type: application/json', long], expected: [413, 'file_too_large'] }],
    ['a text', { head: ['Content-Type: text/plain', long], expected: [415, 'unsupported_media_type'] }],
    ['a packed image', { head: [isImage, long, 'Content-Encoding: gzip'], expected: [415, 'unsupported_encoding'] }],
    [
      'a parameter that cannot be',
      { head: [isImage, long], expected: [422, 'invalid_parameter'], path: '/v1/process?scale=x' },
    ],
    [
      'too long a key of its own',
      { head: [isForm, long, `Idempotency-Key: ${'k'.repeat(256)}`], expected: [422, 'invalid_parameter'] },
    ],
    [
      'a form for a batch',
      { head: [isForm, `Content-Length: ${200 * limit}`], expected: [413, 'file_too_large'], path: '/v1/bulk' },
    ],
  ])('%s is not read', async (_what, { head, expected, path }) => {
    const reply = await send(head, bytesOf(limit + MB), path);
    expect(outcome(reply)).toEqual(expected);
    expect(reply.headers.get('connection')).toBe('close');
    expect(await sockets.bytesRead()).toBeLessThan(256 * 1024);
  });
});

describe('a file of 101 MB', () => {
  it.each<[string, string, () => Iterable<Buffer>]>([
    ['form', isForm, () => form(limit + MB)],
    ['body', isImage, () => bytesOf(limit + MB)],
  ])('in a %s that does not say its length is refused at the limit, also two at once', async (_what, type, body) => {
    const replies = await Promise.all([1, 2].map(() => send([type, isChunked], chunked(body()))));
    for (const reply of replies) expect(outcome(reply)).toEqual([413, 'file_too_large']);
    for (const { body: text } of replies) expect(JSON.parse(text).detail).toContain('100 MB');
    expect(await sockets.bytesRead()).toBeLessThanOrEqual(limit + limits.uploadOverreadBytes);
  });

  it.each([
    ['form', isForm],
    ['body', isImage],
  ])('in a %s that lies about its length is cut there', async (_what, type) => {
    const reply = await send([type, `Content-Length: ${MB}`], form(limit + MB));
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    // What has come already when the lie is found is thrown away.
    expect(await sockets.bytesRead()).toBeLessThan(limit / 10);
  });
});

it('a file of exactly 100 MB is taken, and refused for what it is', async () => {
  const replies = [
    await send([isImage, `Content-Length: ${limit}`], bytesOf(limit)),
    await send([isForm, isChunked], chunked(form(limit))),
  ];
  expect(replies.map(outcome)).toEqual([
    [415, 'unsupported_format'],
    [415, 'unsupported_format'],
  ]);
});
