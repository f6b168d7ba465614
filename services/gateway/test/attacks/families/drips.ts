import { limits } from '@uprez/contracts/policy/limits';
import { waitUntil } from '@uprez/testing/wait-until';
import { partHeader } from '../../support/http/multipart.ts';
import { openSocket } from '../../support/http/open-socket.ts';
import type { Attack, Target } from '../support/attack.ts';
import { addressOf } from '../support/calls.ts';

/** `headers`: more connections than an address may open. `login`: fewer than the sign-in limit. */
const counts = { headers: 550, login: 40, upload: 60 };
const maxPerAddress = 500;
const byteEveryMs = 1_000;
/** The limit of headers is checked every 5 s. That of bodies ends within two windows of 30 s. */
const longestMs = 1_000 * limits.headerSeconds + 15_000;

type Drip = { kind: keyof typeof counts; head: string; from: string };

function listDrips({ accounts }: Target): Drip[] {
  const opening = partHeader({ name: 'image', filename: 'a.png' }, 'b0');
  const upload = (cookie: string) =>
    `POST /api/images/process HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nContent-Length: 100000\r\nContent-Type: multipart/form-data; boundary=b0\r\n\r\n${opening}`;
  const login =
    'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"';
  const headers = 'GET / HTTP/1.1\r\nHost: a\r\nX-A: ';
  const repeat = (kind: Drip['kind'], from: string, headOf: (at: number) => string): Drip[] =>
    Array.from({ length: counts[kind] }, (_, at) => ({ kind, from, head: headOf(at) }));
  return [
    ...repeat('upload', addressOf(3, 0), (at) => upload(accounts[at % accounts.length]?.cookie ?? '')),
    ...repeat('login', addressOf(3, 1), () => login),
    ...repeat('headers', addressOf(3, 2), () => headers),
  ];
}

/** Requests that arrive a byte at a time: headers, JSON bodies, and forms. Ends when the gateway has closed all. */
async function drip(target: Target) {
  const opened = await Promise.all(
    listDrips(target).map(async ({ kind, head, from }) => {
      const connection = await openSocket(target.url, { from });
      connection.socket.write(head);
      return { kind, ...connection };
    }),
  );
  const isOpen = (one: (typeof opened)[number]) => !one.isEnded() && !one.isClosed();
  const countOpen = () => opened.filter(isOpen).length;
  const start = performance.now();
  const timer = setInterval(() => {
    for (const one of opened) if (isOpen(one)) one.socket.write('x');
  }, byteEveryMs);
  // Connections above the limit of their address are closed at once.
  await waitUntil(() => countOpen() <= opened.length - (counts.headers - maxPerAddress));
  const refused = opened.length - countOpen();
  await waitUntil(() => countOpen() === 0, { timeoutMs: longestMs, everyMs: 200 }).catch(() => {});
  clearInterval(timer);
  const replies = (status: number) => opened.filter(({ received }) => received().includes(` ${status} `)).length;
  const seconds = Math.round((performance.now() - start) / 1_000);
  return { opened: opened.length, refused, open: countOpen(), seconds, timeouts: replies(408), stalled: replies(400) };
}

export const drips: Attack = {
  name: 'drips',
  seconds: 75,
  run: drip,
  check: ({ facts, before, peak }) => ({
    'connections above the limit of an address are closed': (facts.refused ?? 0) >= counts.headers - maxPerAddress,
    'all connections are closed within their time': facts.open === 0,
    'incomplete headers get a 408': (facts.timeouts ?? 0) >= maxPerAddress,
    'the memory of the gateway grows by less than 300 MB':
      (peak.gateway?.memoryMb ?? 0) < (before.gateway?.memoryMb ?? 0) + 300,
  }),
};
