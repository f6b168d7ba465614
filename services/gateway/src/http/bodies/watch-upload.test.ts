import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchUpload } from './watch-upload.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

const openBody = () => {
  const stream = new Readable({ read: () => {} });
  const body = Object.assign(stream, { socket: { bytesRead: 0 }, complete: false });
  return body as Readable as IncomingMessage;
};

it('does not time out while received bytes are unread', () => {
  const body = openBody();
  body.push(Buffer.alloc(10));
  const watch = watchUpload(body);
  vi.advanceTimersByTime(300_000);
  expect(watch.signal.aborted).toBe(false);
  body.read();
  vi.advanceTimersByTime(30_000);
  expect(watch.signal.aborted).toBe(true);
});

it.each(['before', 'while'])('aborts when the connection closes %s a buffered body is read', async (when) => {
  const body = Object.assign(openBody(), { complete: true });
  body.push(Buffer.alloc(10));
  body.push(null);
  const early = when === 'while' ? watchUpload(body) : undefined;
  body.destroy();
  await once(body, 'close');
  const { signal } = early ?? watchUpload(body);
  expect(signal.reason).toMatchObject({ code: 'malformed_multipart' });
  expect(vi.getTimerCount()).toBe(0);
});

it('does not abort when the connection closes after a body was read', async () => {
  const body = openBody();
  const watch = watchUpload(body);
  body.push(null);
  body.resume();
  await once(body, 'close');
  expect([watch.signal.aborted, watchUpload(body).signal.aborted]).toEqual([false, false]);
});

it('times out only the last watch of a body', () => {
  const body = openBody();
  const [former, present] = [watchUpload(body), watchUpload(body)];
  vi.advanceTimersByTime(30_000);
  expect([former.signal.aborted, present.signal.aborted]).toEqual([false, true]);
});
