import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '@uprez/contracts/policy/limits';
import type { Db } from '@uprez/db/database';
import { makeImage } from '@uprez/testing/make-image';
import type { SpawnedService } from '@uprez/testing/products/spawn-service';
import type { Attack, Found, Target, World } from '../support/attack.ts';
import { addressOf, call, repeatFor, uploadForm } from '../support/calls.ts';

const blocks = [20, 21, 22];
const visitorsOfBlock = 40;
/** The time after which every other visitor disconnects, milliseconds. */
const patienceMs = 1_500;
const sampleEveryMs = 50;
/** Resizes the largest patch to 16 megapixels. */
const fields = { scaleFactor: '8', format: 'png' };

/** Records the most previews of visitors that run at the same time. */
function watchPreviews(db: Db) {
  const stopped = new AbortController();
  const running = db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', 'preview')
    .where('accountId', 'is', null)
    .where('status', '=', 'processing');
  let most = 0;
  const watched = (async () => {
    while (!stopped.signal.aborted) {
      most = Math.max(most, Number((await running.executeTakeFirstOrThrow()).count));
      await delay(sampleEveryMs);
    }
  })();
  return {
    most: () => most,
    stop: () => {
      stopped.abort();
      return watched;
    },
  };
}

let opened: { worker: SpawnedService; watch: ReturnType<typeof watchPreviews> } | undefined;

/** With a second worker, previews could take more than one slot. */
async function prepare({ product }: World) {
  const worker = await product.spawn('worker');
  await worker.ready();
  opened = { worker, watch: watchPreviews(product.db) };
  return { image: (await makeImage({ width: limits.previewSide, height: limits.previewSide })).toString('base64') };
}

/** Visitors of few networks who request previews of the most expensive kind. Every other one disconnects early. */
async function request({ url, seconds, input }: Target) {
  const form = { ...uploadForm('', Buffer.from(input.image ?? '', 'base64'), fields), path: '/api/preview' };
  const facts = { sent: 0, made: 0, dropped: 0, refused: 0, errors: 0 };
  const senders = blocks.length * visitorsOfBlock;
  const start = performance.now();
  await repeatFor({ seconds, senders }, async (at) => {
    const from = addressOf(blocks[at % blocks.length] ?? 0, Math.floor(at / blocks.length) % visitorsOfBlock);
    const signal = at % 2 === 0 ? AbortSignal.timeout(patienceMs) : undefined;
    facts.sent += 1;
    const { status } = await call({ url, from, signal, ...form }).catch(() => ({ status: 0 }));
    if (status === 200) facts.made += 1;
    else if (status === 0) facts.dropped += 1;
    else if (status === 429 || status === 503) facts.refused += 1;
    else facts.errors += 1;
    // Others are sent as fast as they are refused.
    if (status === 429 || status === 503) await delay(1_000);
  });
  return { ...facts, took: (performance.now() - start) / 1_000 };
}

function check({ facts, freeSeconds }: Found) {
  return {
    'previews are made': (facts.made ?? 0) > 0,
    'previews are refused': (facts.refused ?? 0) > 0,
    'previews of visitors take one slot in total': opened?.watch.most() === 1,
    'the free seconds are those of one slot': freeSeconds <= (facts.took ?? 0) + limits.waitSeconds,
    'no request fails with another error': facts.errors === 0,
  };
}

export const visitorPreviews: Attack = {
  name: 'visitor-previews',
  seconds: 20,
  prepare,
  run: request,
  check,
  restore: async () => {
    await opened?.watch.stop();
    await opened?.worker.end('SIGTERM');
  },
};
