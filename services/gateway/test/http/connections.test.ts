import fs from 'node:fs';
import path from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { openLogger } from '@uprez/runtime/open-logger';
import type { FetchedObject } from '@uprez/storage/storage';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { makeJob } from '@uprez/testing/make-job';
import { countWatchers } from '@uprez/testing/redis';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, describe, expect, it } from 'vitest';
import { cookieOf } from '../support/batches.ts';
import { finishJob } from '../support/finish-job.ts';
import { makeMultipart } from '../support/http/multipart.ts';
import { openSocket } from '../support/http/open-socket.ts';
import { sendRaw } from '../support/http/raw-request.ts';
import { type OpenEvents, openEvents } from '../support/open-events.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const logged: { level: number; msg: string }[] = [];
/** Lines above the level `info`, which every request logs. */
const warnings = () => logged.filter(({ level }) => level > 30);
/** Called with each stored object that the gateway opened, before it is sent. */
let onOpened: (opened: FetchedObject) => Promise<void> = async () => {};
const gateway = fileFixture(() =>
  startTestGateway({}, undefined, ({ storage }) => ({
    storage: {
      ...storage,
      get: async (...given) => {
        const opened = await storage.get(...given);
        await onOpened(opened);
        return opened;
      },
    },
    log: openLogger({
      service: 'gateway',
      level: 'debug',
      destination: { write: (line) => void logged.push(JSON.parse(line)) },
    }),
  })),
);
const user = fileFixture(() => gateway.signUp());
const streams: OpenEvents[] = [];
afterEach(() => {
  onOpened = async () => {};
  for (const stream of streams.splice(0)) stream.close();
});

/** Open files of this process, which the gateway shares. */
const openFiles = () => fs.readdirSync('/proc/self/fd').length;

describe('a connection that ends early', () => {
  it('leaves no file open after 1,000 pipelined downloads', async () => {
    const script = path.join(gateway.ctx.dataDir, 'web/assets/app-1a2b.js');
    fs.writeFileSync(script, Buffer.alloc(2_000_000, 'a'));
    const before = openFiles();
    for (let round = 0; round < 5; round += 1) {
      const { socket } = await openSocket(gateway.url, { reads: false });
      const requests = 'GET /assets/app-1a2b.js HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_000);
      await new Promise((resolve) => socket.write(requests, resolve));
      await waitUntil(() => openFiles() > before + 1);
      socket.destroy();
    }
    await waitUntil(() => openFiles() <= before);
  });

  it.each(['', 'Range: bytes=2-\r\n'])('leaves no file open when it ends before the first byte (%j)', async (range) => {
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    await finishJob(gateway.ctx, job.id);
    const cookie = await cookieOf(gateway, user);
    const { socket } = await openSocket(gateway.url);
    let file: FetchedObject['stream'] | undefined;
    onOpened = async ({ stream }) => {
      file = stream;
      socket.resetAndDestroy();
      // By the time of this response, the gateway knows of the reset.
      await fetch(`${gateway.url}/api/plans`);
    };
    socket.write(`GET /api/images/download/${job.id} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n${range}\r\n`);
    await waitUntil(() => file?.destroyed);
  });

  it('is no error after the headers of a file', async () => {
    const { job } = await makeJob(gateway.ctx, { accountId: user.user.id, plan: currentPlans.free });
    await finishJob(gateway.ctx, job.id);
    logged.length = 0;
    let file: FetchedObject['stream'] | undefined;
    onOpened = async ({ stream }) => {
      file = stream;
    };
    const { status } = await user.fetch(`${gateway.url}/api/images/download/${job.id}`, { method: 'HEAD' });
    expect(status).toBe(200);
    await waitUntil(() => file?.destroyed);
    await fetch(`${gateway.url}/api/plans`);
    expect(warnings()).toEqual([]);
  });

  it('leaves no event stream open after pipelined requests', async () => {
    const cookie = await cookieOf(gateway, user);
    const { socket, received } = await openSocket(gateway.url);
    socket.write(`GET /api/events HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`.repeat(20));
    await waitUntil(() => received().includes('text/event-stream'));
    expect(received().split('HTTP/1.1 200')).toHaveLength(2);
    await waitUntil(async () => (await countWatchers(gateway.ctx, user.user.id)) === 1);
    socket.destroy();
    await waitUntil(async () => (await countWatchers(gateway.ctx, user.user.id)) === 0);
  });

  it('during a sign-in is no error of the service', async () => {
    logged.length = 0;
    await waitUntil(async () => {
      const { socket } = await openSocket(gateway.url);
      socket.write(
        'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
      );
      // By the time of this response, the gateway waits for the rest of the body.
      await fetch(`${gateway.url}/api/plans`);
      socket.resetAndDestroy();
      return logged.some(({ msg }) => msg === 'client disconnected');
    });
    expect(warnings()).toEqual([]);
  });
});

describe('the event streams of an account', () => {
  const open = async (by = user) => {
    const stream = await openEvents({ url: gateway.url, fetch: by.fetch });
    streams.push(stream);
    return stream;
  };

  it('are limited, until one of them ends', async () => {
    const owner = await gateway.signUp();
    for (let i = 0; i < limits.accountStreams; i += 1) expect((await open(owner)).response.status).toBe(200);
    const { response } = await open(owner);
    expect(response.status).toBe(429);
    expect(response.headers.get('x-error-code')).toBe('rate_limited');
    expect(response.headers.get('retry-after')).toBe(String(limits.streamRetrySeconds));
    expect((await open()).response.status).toBe(200);
    streams[0]?.close();
    await waitUntil(async () => (await open(owner)).response.status === 200);
  });

  it('share the reading of changed jobs', async () => {
    const owner = await gateway.signUp();
    const opened = await Promise.all(Array.from({ length: limits.accountStreams }, () => open(owner)));
    const { job } = await makeJob(gateway.ctx, { accountId: owner.user.id, plan: currentPlans.free });
    await finishJob(gateway.ctx, job.id);
    for (const stream of opened) await stream.find((event) => event.job.status === 'completed');
  });

  it('are refused with a body', async () => {
    const cookie = await cookieOf(gateway, user);
    const head = ['GET /api/events HTTP/1.1', `Cookie: ${cookie}`, 'Content-Length: 10'];
    expect(await sendRaw({ url: gateway.url, head })).toMatchObject({ status: 400 });
  });
});

describe('a body that is not read', () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(64 * 1024);
  }

  it('is not received after the response, however long it is', async () => {
    const { socket, received, isClosed } = await openSocket(gateway.url);
    socket.write('GET /api/plans HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000000\r\n\r\n');
    await waitUntil(() => received().includes('HTTP/1.1 200'));
    expect(received()).toMatch(/connection: close/i);
    for await (const data of endless()) {
      if (isClosed()) break;
      if (!socket.write(data)) await waitUntil(() => isClosed() || socket.writableLength === 0);
    }
    // What the buffers of both ends of a loopback connection take.
    expect(socket.bytesWritten).toBeLessThan(20_000_000);
  });

  it.each([
    ['a slow body', 'GET /api/plans HTTP/1.1', 'Content-Length: 1000'],
    ['a form without a reader', 'POST /api/logout HTTP/1.1', 'Content-Type: multipart/form-data; boundary=b'],
  ])('closes the connection after the response to %s', async (_name, line, row) => {
    const { socket, received, isEnded } = await openSocket(gateway.url);
    const length = row.startsWith('Content-Length') ? '' : 'Content-Length: 1000\r\n';
    socket.write(`${line}\r\nHost: a\r\n${row}\r\n${length}\r\nx`);
    await waitUntil(isEnded);
    expect(received()).toMatch(/^HTTP\/1\.1 \d{3}/);
    expect(received()).toMatch(/connection: close/i);
  });

  it('leaves the connection open when it is small and complete', async () => {
    const { socket, received } = await openSocket(gateway.url);
    socket.write('GET /api/plans HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}'.repeat(2));
    await waitUntil(() => received().split('HTTP/1.1 200').length === 3);
  });
});

describe('a request', () => {
  it.each([
    ['TRACE', ['TRACE /api/plans HTTP/1.1', 'X-A: a'], 405],
    ['two Host headers', ['GET /api/plans HTTP/1.1', 'Host: other.example'], 400],
  ])('with %s is refused with security headers', async (_name, head, status) => {
    const reply = await sendRaw({ url: gateway.url, head });
    expect(reply.status).toBe(status);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('content-security-policy')).toBeTruthy();
  });

  it('may spell its content type in capital letters', async () => {
    const { body } = makeMultipart([
      { name: 'image', filename: 'a.png', data: await makeImage({ width: 20, height: 10 }) },
    ]);
    const response = await user.fetch(`${gateway.url}/api/images/process`, {
      method: 'POST',
      headers: { 'content-type': 'MULTIPART/FORM-DATA; boundary=b0', prefer: 'respond-async' },
      body,
    });
    expect(response.status).toBe(202);
  });
});
