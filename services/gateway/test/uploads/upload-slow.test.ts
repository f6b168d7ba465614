import fs from 'node:fs/promises';
import path from 'node:path';
import { fileFixture } from '@uprez/testing/fixtures';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cookieOf } from '../support/batches.ts';
import { partHeader } from '../support/http/multipart.ts';
import { type RawReply, sendRaw } from '../support/http/raw-request.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { countTraces } from '../support/traces.ts';
import { openV1Caller } from '../support/v1-calls.ts';

let cookie = '';
let key = '';
// Not shared: it replaces the timers of the process.
const gateway = fileFixture(() => startTestGateway());
const user = fileFixture(() => gateway.signUp());
beforeAll(async () => {
  cookie = await cookieOf(gateway, user);
  ({ key } = await openV1Caller(gateway));
});

// The progress of uploads is checked every 30 s. Only intervals are faked.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const halfMinute = () => vi.advanceTimersByTime(30_000);

/** Opens a request whose body the test sends in parts. */
function openRequest(path: string, length: number, ...rows: string[]) {
  const waiting: Buffer[] = [];
  let wake = () => {};
  let taken = 0;
  async function* body() {
    for (;;) {
      const data = waiting.shift();
      if (data) yield data;
      else await new Promise<void>((resolve) => (wake = resolve));
      taken += data ? 1 : 0;
    }
  }
  const head = [`POST ${path} HTTP/1.1`, `Cookie: ${cookie}`, `Content-Length: ${length}`, ...rows];
  let reply: RawReply | Error | undefined;
  void sendRaw({ url: gateway.url, head, body: body() }).then(
    (value) => (reply = value),
    (error: Error) => (reply = error),
  );
  return {
    send: async (data: Buffer) => {
      const before = taken;
      waiting.push(data);
      wake();
      await waitUntil(() => taken > before || reply !== undefined);
    },
    reply: () => reply,
  };
}
/** Lets half minutes pass until the response: bytes on their way count as progress when they arrive. */
const waitForReply = ({ reply }: ReturnType<typeof openRequest>) =>
  waitUntil(async () => {
    halfMinute();
    return reply() ?? false;
  });
const openUpload = () =>
  openRequest('/api/images/process', 40_000_000, 'Content-Type: multipart/form-data; boundary=b0');
const opening = Buffer.from(partHeader({ name: 'image', filename: 'a.png' }, 'b0'));

/** Returns the stored bytes of the only upload in progress. */
async function bytesStored(): Promise<number> {
  const folder = path.join(gateway.ctx.dataDir, 'objects/.tmp');
  const [name] = await fs.readdir(folder);
  return name ? (await fs.stat(path.join(folder, name))).size : 0;
}

describe('a stalled upload', () => {
  it('returns an error within its image and leaves nothing', async () => {
    const before = await countTraces(gateway.ctx);
    const upload = openUpload();
    await upload.send(Buffer.concat([opening, Buffer.alloc(1_000_000, 7)]));
    await waitUntil(async () => (await bytesStored()) > 0);
    halfMinute();
    expect(upload.reply()).toBeUndefined();
    const reply = await waitForReply(upload);
    expect(reply).toMatchObject({ status: 400, body: 'The upload stalled. Try again.' });
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it('returns an error before its image', async () => {
    const upload = openUpload();
    await upload.send(Buffer.from('--b0\r\nContent-Disposition: form-data; name="scaleFactor"\r\n\r\n'));
    expect(await waitForReply(upload)).toMatchObject({ status: 400, body: 'The upload stalled. Try again.' });
  });

  it('is accepted while it receives 8 kB per second', async () => {
    const upload = openUpload();
    await upload.send(Buffer.concat([opening, Buffer.alloc(1_000, 7)]));
    // What arrives before the gateway watches the upload is no progress.
    await waitUntil(async () => (await bytesStored()) > 0);
    for (let i = 1; i <= 5; i += 1) {
      await upload.send(Buffer.alloc(300_000, 7));
      // The parser holds the last bytes back: they could be the beginning of the boundary. Less than 240 kB are no progress.
      await waitUntil(async () => (await bytesStored()) > i * 300_000 - 1_000);
      halfMinute();
    }
    expect(upload.reply()).toBeUndefined();
    expect(await waitForReply(upload)).toMatchObject({ status: 400 });
  });
});

describe('a stalled upload through the public API', () => {
  const openV1 = (type: string, length = 40_000_000) =>
    openRequest('/v1/process', length, `Authorization: Bearer ${key}`, `Content-Type: ${type}`);

  it('returns an error as a form and leaves nothing', async () => {
    const before = await countTraces(gateway.ctx);
    const upload = openV1('multipart/form-data; boundary=b0');
    await upload.send(Buffer.concat([opening, Buffer.alloc(1_000_000, 7)]));
    await waitUntil(async () => (await bytesStored()) > 0);
    const reply = (await waitForReply(upload)) as RawReply;
    expect([reply.status, JSON.parse(reply.body).detail]).toEqual([400, 'The upload stalled. Try again.']);
    expect(await countTraces(gateway.ctx)).toEqual(before);
  });

  it.each([
    ['image/png', '', 'malformed_multipart'],
    ['application/json', '{"image":"', 'malformed_body'],
  ])('returns an error as %s and leaves nothing', async (type, start, code) => {
    const before = await countTraces(gateway.ctx);
    const upload = openV1(type, 14_000_000);
    await upload.send(Buffer.concat([Buffer.from(start), Buffer.alloc(1_000_000, 'A')]));
    const reply = (await waitForReply(upload)) as RawReply;
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([
      400,
      { code, detail: 'The upload stalled. Try again.' },
    ]);
    await waitUntil(async () => JSON.stringify(await countTraces(gateway.ctx)) === JSON.stringify(before));
  });
});

describe('another stalled body', () => {
  it('loses its connection', async () => {
    const request = openRequest('/api/login', 100, 'Content-Type: application/json');
    await request.send(Buffer.from('{"email":'));
    expect(await waitForReply(request)).toBeInstanceOf(Error);
  });

  it('returns an error within an attachment of the contact form', async () => {
    const form = openRequest('/api/contact', 5_000_000, 'Content-Type: multipart/form-data; boundary=b0');
    const attachment = partHeader({ name: 'attachments', filename: 'a.png' }, 'b0');
    await form.send(Buffer.concat([Buffer.from(attachment), Buffer.alloc(100_000, 7)]));
    expect(await waitForReply(form)).toMatchObject({ status: 400, body: 'The upload stalled. Try again.' });
  });
});
