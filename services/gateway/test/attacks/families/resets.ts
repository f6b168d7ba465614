import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { openSocket } from '../../support/http/open-socket.ts';
import type { Attack, Target } from '../support/attack.ts';
import { addressOf, repeatFor, uploadForm } from '../support/calls.ts';

const imageBytes = 1_000_000;
const shares = [0.1, 0.5, 0.9];
/** Below the 60 uploads per minute of the Free plan, for each account. */
const uploadsPerAccount = 50;

async function sendAndReset(url: string, from: string, data: Buffer | string): Promise<void> {
  const { socket } = await openSocket(url, { from });
  await new Promise((resolve) => socket.write(data, resolve));
  socket.resetAndDestroy();
}

/** Sign-ins and uploads that end in the middle, and requests that end before they are handled. */
async function reset({ url, accounts, seconds }: Target) {
  const sent = { logins: 0, uploads: 0, reads: 0 };
  const login = 'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{';
  const image = randomBytes(imageBytes);
  const attempts = [
    async (at: number) => {
      // Each address stays below the limit of sign-ins.
      await sendAndReset(url, addressOf(4, at), login);
      sent.logins += 1;
    },
    async (at: number) => {
      const account = accounts[at % accounts.length];
      if (!account || sent.uploads >= uploadsPerAccount * accounts.length) return;
      const { path: to, headers, body } = uploadForm(account.cookie, image);
      const rows = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const share = shares[sent.uploads % shares.length] ?? 0;
      sent.uploads += 1;
      const head = `POST ${to} HTTP/1.1\r\nHost: a\r\n${rows.join('')}\r\n`;
      const part = body.subarray(0, Math.floor(share * body.length));
      await sendAndReset(url, addressOf(5, at), Buffer.concat([Buffer.from(head), part]));
    },
    async (at: number) => {
      await sendAndReset(url, addressOf(6, at), 'GET /api/plans HTTP/1.1\r\nHost: a\r\n\r\n');
      sent.reads += 1;
    },
  ];
  const errors = await repeatFor({ seconds, senders: 6 }, async (at) => attempts[at % attempts.length]?.(at));
  return { ...sent, errors };
}

export const resets: Attack = {
  name: 'resets',
  seconds: 8,
  run: reset,
  check: async ({ facts, world }) => {
    const folder = path.join(world.product.env.DATA_DIR ?? '', 'objects/.tmp');
    return {
      'sign-ins and uploads were interrupted': Math.min(facts.logins ?? 0, facts.uploads ?? 0) > 0,
      'no part of an upload is left': fs.readdirSync(folder).length === 0,
    };
  },
};
