import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { openDownloadTurns, passInTurns } from './send-object.ts';

const chunks = 20;

/** Reads downloads of these accounts at once. Returns the accounts of their chunks by iteration of the event loop. */
async function download(accountIds: readonly string[]): Promise<string[][]> {
  const turns = openDownloadTurns();
  const iterations: string[][] = [[]];
  let isOver = false;
  const count = () => {
    iterations.push([]);
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const read = async (accountId: string) => {
    const stream = Readable.from(Array.from({ length: chunks }, () => Buffer.alloc(8)));
    for await (const _ of passInTurns(stream, { turns, accountId })) iterations.at(-1)?.push(accountId);
  };
  await Promise.all(accountIds.map(read));
  isOver = true;
  return iterations;
}

it('passes on few chunks between two iterations of the event loop, however many downloads run', async () => {
  const iterations = await download(Array.from({ length: 60 }, (_, at) => `account ${at}`));
  // The last chunk of a download follows the one before it without another turn.
  expect(Math.max(...iterations.map(({ length }) => length))).toBeLessThanOrEqual(4);
  expect(iterations.flat()).toHaveLength(60 * chunks);
});

it('shares the turns among accounts, however many downloads each has', async () => {
  const order = (await download([...Array.from({ length: 59 }, () => 'many'), 'one'])).flat();
  expect(order.filter((accountId) => accountId === 'many')).toHaveLength(59 * chunks);
  expect(order.lastIndexOf('one')).toBeLessThan(4 * chunks);
});
