import { setTimeout as delay } from 'node:timers/promises';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { openSocket } from '../../support/http/open-socket.ts';
import type { Attack, Input, Target, World } from '../support/attack.ts';
import { addressOf, callJson } from '../support/calls.ts';

/** Uploads of one item at once, and bodies of one account without an end, each a little below its limit of bytes. */
const itemUploads = 60;
const itemBytes = 49_000_000;
const openBodies = 100;
const openBytes = 14_000_000;
const overshoot = 1.1;
const piece = Buffer.alloc(1024 * 1024, 'A');
const idleMs = 3_000;

async function prepare({ product, signUp }: World): Promise<Input> {
  const [owner, other] = [await signUp(), await signUp()];
  const recipe = { engine: 'standard', scaleFactor: 2 };
  const items = [{ clientId: 'a', name: 'a.png' }];
  const body = { recipe, items };
  const reply = await callJson({ url: product.url, path: '/api/batches', headers: { cookie: owner.cookie }, body });
  const batch = JSON.parse(reply.text);
  await product.db.updateTable('users').set({ emailVerified: true }).where('id', '=', other.id).execute();
  const key = await callJson({
    url: product.url,
    path: '/api/api-keys',
    headers: { cookie: other.cookie },
    body: { name: 'unfinished-uploads', kind: 'test' },
  });
  return {
    item: `/api/batches/${batch.id}/items/${batch.items[0].id}`,
    cookie: owner.cookie,
    key: String(JSON.parse(key.text).key),
  };
}

type Body = { head: string[]; start: string; bytes: number; from: string };

/** Sends all bytes of a body but the last, and leaves the connection open. */
async function openBody(url: string, { head, start, bytes, from }: Body) {
  const { socket, received, isClosed } = await openSocket(url, { from });
  const isOver = () => isClosed() || received() !== '';
  let sent = start.length;
  socket.write([...head, 'Host: a', `Content-Length: ${bytes}`, '', start].join('\r\n'));
  const send = async () => {
    while (sent < bytes - 1 && !isOver()) {
      const next = piece.subarray(0, Math.min(piece.length, bytes - 1 - sent));
      sent += next.length;
      if (!socket.write(next))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), delay(idleMs)]);
    }
  };
  return {
    send,
    received,
    heldBytes: () => (isOver() ? 0 : sent - socket.writableLength),
    end: () => socket.destroy(),
  };
}

/** Returns the bytes that the gateway holds of bodies which never end, and how many of them it refused. */
async function holdBodies(url: string, bodies: readonly Body[]) {
  const opened = await Promise.all(bodies.map((body) => openBody(url, body)));
  await Promise.all(opened.map(({ send }) => send()));
  await delay(idleMs);
  const heldMb = opened.reduce((sum, { heldBytes }) => sum + heldBytes(), 0) / 1e6;
  const statuses = opened.map(({ received }) => Number(/^HTTP\/1.1 (\d+)/.exec(received())?.[1] ?? 0));
  for (const { end } of opened) end();
  return { heldMb, refused: statuses.filter((status) => [409, 422, 429, 503].includes(status)).length };
}

/** Bodies of one account that lack their last byte. */
async function hold({ url, input }: Target) {
  const item = await holdBodies(
    url,
    Array.from({ length: itemUploads }, (_, at) => ({
      head: [`PUT ${input.item} HTTP/1.1`, `Cookie: ${input.cookie}`, 'Content-Type: image/png'],
      start: '',
      bytes: itemBytes,
      from: addressOf(10, at),
    })),
  );
  const open = await holdBodies(
    url,
    Array.from({ length: openBodies }, (_, at) => ({
      head: [
        at % 2 ? 'POST /v1/process HTTP/1.1' : 'POST /mcp HTTP/1.1',
        `Authorization: Bearer ${input.key}`,
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
      ],
      start: at % 2 ? '{"image":"' : '{"params":{"arguments":{"image":"',
      bytes: openBytes,
      from: addressOf(10, at),
    })),
  );
  return {
    itemMb: item.heldMb,
    itemRefused: item.refused,
    openMb: open.heldMb,
    openRefused: open.refused,
    megabytes: currentPlans.free.storageBytes / 1e6,
  };
}

export const unfinishedUploads: Attack = {
  name: 'unfinished-uploads',
  seconds: 15,
  prepare,
  run: hold,
  check: ({ facts, disk }) => ({
    'one upload of an item is received at a time': (facts.itemMb ?? Infinity) <= (overshoot * itemBytes) / 1e6,
    'files being received stay within the storage of an account':
      disk.peak.temporaryMb - disk.before.temporaryMb <= overshoot * (facts.megabytes ?? 0),
    'unfinished bodies of an account count': (facts.openMb ?? Infinity) <= overshoot * (facts.megabytes ?? 0),
  }),
};
