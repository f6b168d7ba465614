import { openSocket } from '../../support/http/open-socket.ts';
import type { Attack, Target } from '../support/attack.ts';
import { addressOf, repeatFor } from '../support/calls.ts';

const piece = Buffer.alloc(64 * 1024, 'x');
const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
const length = 'Content-Length: 3000000000';
const form = 'Content-Type: multipart/form-data; boundary=b';
/** Bytes that the buffers of both ends of a loopback connection take, and those on their way. */
const mostBytes = 20_000_000;
const longestS = 10;

/** Calls that read no body or a small one. */
const floods: [head: string[], data: Buffer][] = [
  [['GET /api/plans HTTP/1.1', length], piece],
  [['GET /api/plans HTTP/1.1', 'Transfer-Encoding: chunked'], chunk],
  [['POST /api/logout HTTP/1.1', form, length], piece],
  [['POST /api/logout HTTP/1.1', form, 'Transfer-Encoding: chunked'], chunk],
  [['POST /api/login HTTP/1.1', 'Content-Type: application/json', length], piece],
  [['POST /api/login HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked'], chunk],
  [['GET /assets/app-1a2b.js HTTP/1.1', length], piece],
];

/** Sends until the gateway closes the connection. Returns the bytes that the connection took. */
async function sendEndlessly(url: string, from: string, [head, data]: (typeof floods)[number]): Promise<number> {
  const { socket, isClosed } = await openSocket(url, { from });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const tooLong = setTimeout(() => socket.destroy(), 2_000 * longestS);
  socket.write(`${head.join('\r\n')}\r\nHost: a\r\n\r\n`);
  while (!isClosed())
    if (!socket.write(data)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  clearTimeout(tooLong);
  return socket.bytesWritten;
}

/** Bodies without an end for calls that don't read them. */
async function flood({ url, seconds }: Target) {
  const facts = { connections: 0, megabytesMost: 0, secondsMost: 0 };
  await repeatFor({ seconds, senders: floods.length }, async (at) => {
    const start = performance.now();
    const sent = await sendEndlessly(url, addressOf(7, at), floods[at % floods.length] as (typeof floods)[number]);
    facts.connections += 1;
    facts.megabytesMost = Math.max(facts.megabytesMost, sent / 1e6);
    facts.secondsMost = Math.max(facts.secondsMost, (performance.now() - start) / 1_000);
  });
  return facts;
}

export const bodyFloods: Attack = {
  name: 'body-floods',
  seconds: 8,
  run: flood,
  check: ({ facts }) => ({
    'connections were opened': (facts.connections ?? 0) >= floods.length,
    'a connection takes no more than its buffers': (facts.megabytesMost ?? Infinity) * 1e6 < mostBytes,
    [`a connection lasts less than ${longestS} s`]: (facts.secondsMost ?? Infinity) < longestS,
  }),
};
