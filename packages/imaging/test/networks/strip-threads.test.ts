import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowStream } from '../../src/engine/rows/row-stream.ts';
import { openStripPool, type StripPool, type ThreadedStrips } from '../../src/engine/strips/threads/open-strip-pool.ts';
import { type Network, openNetwork } from '../../src/engine/upscaler/network.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, makePhoto, maxDifference } from '../support/images.ts';
import { makeStubModel } from '../support/stub-network.ts';

const border = 8;
const model = makeStubModel();
let dir: string;
let network: Network;
let pool: StripPool;
let strips: ThreadedStrips;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-threads-test-'));
  network = await openNetwork(model, 1);
  pool = await openStripPool(2);
  strips = pool.addModel(model);
});
afterAll(async () => {
  await Promise.all([network.close(), strips.close()]);
  await rm(dir, { recursive: true });
});

const signal = new AbortController().signal;
const unwatched = { signal, inBands: false, onRun: () => {}, onStrip: () => {} };
const stripOf = (width: number, lag = 1) => ({ rows: 16, border, width: width + 2 * border, lag });
const inThreads = (source: RowStream, lag = 1, width = source.width) =>
  strips.upscale(source, { ...unwatched, strip: stripOf(width, lag), inBands: width < source.width, dir });
const inOneTile = (source: RowStream) =>
  upscale(source, { network, tile: { core: 704, overlap: border, fade: 0 }, signal, onTile: () => {} });

/** A stream that fails after `rows` rows. */
function failAfter(rows: number, source: RowStream): RowStream {
  let read = 0;
  return {
    ...source,
    read: async (count) => {
      read += count;
      if (read > rows) throw new Error('the disk failed');
      return source.read(count);
    },
  };
}

describe('strips in threads', () => {
  it.each([
    ['two shares of columns', makePhoto({ width: 601, height: 150 }), 1],
    ['two shares in 16 bits', deepen(makePhoto({ width: 520, height: 33 })), 1],
    ['one share', makePhoto({ width: 90, height: 200 }), 1],
    ['one thread for networks that see far', makePhoto({ width: 600, height: 70, channels: 1 }), 9],
  ] as const)('return the image of one tile: %s', async (_name, photo, lag) => {
    const drawn = await readAll(inThreads(streamOf(photo), lag));
    expect(maxDifference(drawn, await readAll(inOneTile(streamOf(photo))))).toBe(0);
  });

  it('return the image of one tile in bands that are stored in files', async () => {
    const photo = makePhoto({ width: 300, height: 50 });
    const drawn = await readAll(inThreads(streamOf(photo), 1, 100));
    expect(maxDifference(drawn, await readAll(inOneTile(streamOf(photo))))).toBe(0);
  });

  it('run a pass on the rows of another one', async () => {
    const photo = makePhoto({ width: 130, height: 40 });
    const twice = await readAll(inThreads(inThreads(streamOf(photo))));
    expect(maxDifference(twice, await readAll(inOneTile(inOneTile(streamOf(photo)))))).toBe(0);
  });

  it('report every strip, and the time of the network', async () => {
    let [count, ms] = [0, 0];
    const onStrip = () => count++;
    const onRun = (own: number) => {
      ms += own;
    };
    const source = streamOf(makePhoto({ width: 600, height: 160 }));
    await readAll(strips.upscale(source, { ...unwatched, onRun, onStrip, strip: stripOf(600), dir }));
    expect(count).toBe((160 + 2 * border) / 16);
    expect(ms).toBeGreaterThan(0);
  });

  it('fail with the error of their source', async () => {
    const source = failAfter(100, streamOf(makePhoto({ width: 600, height: 400 })));
    await expect(readAll(inThreads(source))).rejects.toThrow('the disk failed');
  });

  it('stop when canceled, before and during a run', async () => {
    const source = () => streamOf(makePhoto({ width: 600, height: 900 }));
    const before = { ...unwatched, signal: AbortSignal.abort(), strip: stripOf(600), dir };
    await expect(readAll(strips.upscale(source(), before))).rejects.toMatchObject({ code: 'cancelled' });
    const abort = new AbortController();
    const during = { ...unwatched, signal: abort.signal, onStrip: () => abort.abort(), strip: stripOf(600), dir };
    await expect(readAll(strips.upscale(source(), during))).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('end after a run that was stopped', async () => {
    const other = (await openStripPool(2)).addModel(model);
    const abort = new AbortController();
    const options = { ...unwatched, signal: abort.signal, strip: stripOf(600), dir };
    const rows = other.upscale(streamOf(makePhoto({ width: 600, height: 900 })), options);
    await rows.read(1);
    abort.abort();
    await other.close();
    await expect(rows.read(3_000)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('fail in a pool whose last model was closed', async () => {
    const closed = await openStripPool(2);
    await closed.addModel(model).close();
    const source = streamOf(makePhoto({ width: 600, height: 40 }));
    const rows = closed.addModel(model).upscale(source, { ...unwatched, strip: stripOf(600), dir });
    await expect(readAll(rows)).rejects.toThrow('the thread has ended');
  });

  it('fail with the error of the model, and run others after it', async () => {
    const broken = pool.addModel(model.subarray(0, 100));
    const source = streamOf(makePhoto({ width: 600, height: 40 }));
    await expect(readAll(broken.upscale(source, { ...unwatched, strip: stripOf(600), dir }))).rejects.toThrow(/./);
    await broken.close();
    const photo = makePhoto({ width: 600, height: 20 });
    const drawn = await readAll(inThreads(streamOf(photo)));
    expect(maxDifference(drawn, await readAll(inOneTile(streamOf(photo))))).toBe(0);
  });
});
