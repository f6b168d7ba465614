import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makeImage } from '@uprez/testing/make-image';
import { makeMultipart, type Part } from '../../support/http/multipart.ts';
import { openSocket } from '../../support/http/open-socket.ts';
import type { Attack, Target, World } from '../support/attack.ts';
import { addressOf, call } from '../support/calls.ts';
import { waitForJobs } from '../support/open-honest-user.ts';
import type { Account } from '../support/sign-up.ts';

const connections = 60;
const bytesPerSecond = 1_000;
const images = 3;

/** Processes images in a batch. Returns the paths of the archive and of one result. */
async function makeResults({ product }: World, { id, cookie }: Account): Promise<{ zip: string; result: string }> {
  const parts: Part[] = [
    { name: 'engine', data: 'standard' },
    { name: 'scaleFactor', data: '2' },
  ];
  for (let seed = 1; seed <= images; seed += 1) {
    const data = await makeImage({ width: 900, height: 700, seed });
    parts.push({ name: 'images', filename: `${seed}.png`, data });
  }
  const { body, contentType } = makeMultipart(parts);
  const headers = { cookie, 'content-type': contentType, prefer: 'respond-async' };
  const { url } = product;
  const reply = await call({ url, method: 'POST', path: '/api/images/bulk-process', headers, body });
  if (reply.status > 202) throw new Error(`the batch was refused: ${reply.status} ${reply.text}`);
  await waitForJobs(product.db, id);
  const job = await product.db
    .selectFrom('jobs')
    .select('id')
    .where('accountId', '=', id)
    .where('status', '=', 'completed')
    .executeTakeFirstOrThrow();
  return { zip: `${reply.headers.location}/zip`, result: `/api/images/download/${job.id}` };
}

/** Takes a kilobyte per second from a connection. Returns the bytes taken. */
async function readSlowly(socket: Socket, seconds: number): Promise<number> {
  let bytes = 0;
  for (let second = 0; second < seconds; second += 1) {
    await delay(1_000);
    const data: Buffer | null = socket.read(Math.min(bytesPerSecond, socket.readableLength));
    bytes += data?.length ?? 0;
  }
  return bytes;
}

/** Clients that take a kilobyte per second of a result or of an archive. */
async function download({ url, seconds, input }: Target) {
  const readOne = async (_: unknown, at: number) => {
    const path = at % 2 ? input.zip : input.result;
    const { socket } = await openSocket(url, { reads: false, from: addressOf(10, at) });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nCookie: ${input.cookie}\r\n\r\n`);
    return readSlowly(socket, seconds).finally(() => socket.destroy());
  };
  const bytes = await Promise.all(Array.from({ length: connections }, readOne));
  return { connections, fewestBytes: Math.min(...bytes) };
}

export const slowDownloads: Attack = {
  name: 'slow-downloads',
  seconds: 8,
  prepare: async (world) => {
    const account = await world.signUp();
    return { cookie: account.cookie, ...(await makeResults(world, account)) };
  },
  run: download,
  check: ({ facts, before, peak }) => ({
    'all downloads are served': (facts.fewestBytes ?? 0) >= bytesPerSecond,
    // Each holds the buffers of one connection, never a whole file.
    'the memory of the gateway grows by less than 300 MB':
      (peak.gateway?.memoryMb ?? 0) < (before.gateway?.memoryMb ?? 0) + 300,
  }),
};
