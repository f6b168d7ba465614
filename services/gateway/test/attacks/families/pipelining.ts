import { setTimeout as delay } from 'node:timers/promises';
import { openSocket } from '../../support/http/open-socket.ts';
import type { Attack } from '../support/attack.ts';
import { addressOf, repeatFor } from '../support/calls.ts';
import { spare } from '../support/judge.ts';
import { assetPath } from '../support/open-world.ts';

const senders = 10;
const requestsEach = 1_000;
const heldMs = 300;

/** Connections with 1,000 requests ahead of the first response, for a large file or an event stream, that then close. */
export const pipelining: Attack = {
  name: 'pipelining',
  seconds: 8,
  run: async ({ url, accounts, seconds }) => {
    let connections = 0;
    const cookie = accounts[0]?.cookie ?? '';
    const errors = await repeatFor({ seconds, senders }, async (at) => {
      const path = at % 2 ? assetPath : '/api/events';
      const { socket } = await openSocket(url, { reads: false, from: addressOf(1, at) });
      connections += 1;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`.repeat(requestsEach));
      await delay(heldMs);
      socket.destroy();
    });
    return { connections, errors };
  },
  check: ({ facts, before, peak }) => ({
    'connections were opened': (facts.connections ?? 0) > senders,
    'a connection holds at most one file': isBelow(peak.gateway, before.gateway, 2 * senders),
  }),
};

type Counted = { descriptors: number } | undefined;
const isBelow = (peak: Counted, before: Counted, more: number) =>
  (peak?.descriptors ?? 0) <= (before?.descriptors ?? 0) + more + spare.descriptors;
