import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchUpload } from './watch-upload.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

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

it('times out only the last watch of a body', () => {
  const body = openBody();
  const [former, present] = [watchUpload(body), watchUpload(body)];
  vi.advanceTimersByTime(30_000);
  expect([former.signal.aborted, present.signal.aborted]).toEqual([false, true]);
});
