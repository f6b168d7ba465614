import { type BlockHolder, BlockPool } from '@uprez/storage/s3/block-pool';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { describe, expect, it } from 'vitest';

const options = { blockBytes: 1, blocksPerPart: 4, parts: 2, waitMs: 20_000 };
const newHolder = (): BlockHolder => ({ blocks: [] });

/** Returns whether a take is granted immediately. */
async function isGranted(take: Promise<void>): Promise<boolean> {
  let granted = false;
  take.then(
    () => {
      granted = true;
    },
    () => undefined,
  );
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  return granted;
}

describe('BlockPool', () => {
  it('reserves what the fullest part still needs', async () => {
    const pool = new BlockPool(options);
    const [first, ...others] = Array.from({ length: 7 }, newHolder) as [BlockHolder, ...BlockHolder[]];
    await pool.take(first);
    const granted = await Promise.all(others.map((holder) => isGranted(pool.take(holder))));
    // 8 blocks: 1 + 4 others, and 3 reserved for the first part
    expect(granted).toEqual([true, true, true, true, false, false]);
    for (let block = 0; block < 3; block++) expect(await isGranted(pool.take(first))).toBe(true);
    expect(first.blocks.length).toBe(4);
    pool.release(first);
    expect(others.map(({ blocks }) => blocks.length)).toEqual([1, 1, 1, 1, 1, 0]);
    pool.release(others[0] as BlockHolder);
    expect(others.slice(1).map(({ blocks }) => blocks.length)).toEqual([1, 1, 1, 1, 1]);
  });

  it('lets all uploads finish in any order of their bytes', async () => {
    const pool = new BlockPool(options);
    const random = makeRandom(testSeed);
    const upload = async (blocks: number) => {
      const holder = newHolder();
      for (let taken = 0; taken < blocks; taken++) {
        await pool.take(holder);
        if (holder.blocks.length === options.blocksPerPart) pool.release(holder);
        if (random(2) === 0) await new Promise(setImmediate);
      }
      pool.release(holder);
      return blocks;
    };
    const sizes = Array.from({ length: 200 }, () => 1 + random(30));
    expect(await Promise.all(sizes.map(upload))).toEqual(sizes);
  });

  it('rejects a wait after its limit or when aborted, and removes it from the queue', async () => {
    const pool = new BlockPool({ ...options, parts: 1, waitMs: 50 });
    const [first, second, third] = [newHolder(), newHolder(), newHolder()];
    await pool.take(first);
    await expect(pool.take(second)).rejects.toThrow('no progress for 50 ms');
    const controller = new AbortController();
    const reason = new Error('client left');
    const waiting = expect(pool.take(third, controller.signal)).rejects.toBe(reason);
    controller.abort(reason);
    await waiting;
    pool.release(first);
    expect([second.blocks.length, third.blocks.length]).toEqual([0, 0]);
  });
});
