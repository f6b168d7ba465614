import { type Figures, percentile } from '@uprez/testing/bench-report';
import type { Network } from '../src/engine/upscaler/network.ts';
import { listQuickEngines, withPair } from './open-pair.ts';
import { makeTestTiles } from './test-tiles.ts';

const rounds = 12;
const side = 192;

/**
 * Measures input pixels per second of each engine in FP32 and as served, in turns in one process on the same tiles. The
 * ratio is the median of the pairs, which other load on the machine affects least.
 */
export async function engineSpeed(folder: string): Promise<Figures> {
  const figures: Figures = {};
  for (const engine of await listQuickEngines()) {
    const tiles = await makeTestTiles(folder, side);
    const pairs = await withPair(engine, async ({ plain, served }) => {
      const times: { plain: number; served: number }[] = [];
      for (let round = 0; round < rounds; round++) {
        const planes = (tiles[round % tiles.length] as (typeof tiles)[number]).planes;
        times.push({ plain: await time(plain, planes, side), served: await time(served, planes, side) });
      }
      return times.slice(1);
    });
    const perSecond = (times: number[]) => Math.round((side * side) / (percentile(times) / 1000)).toLocaleString('en');
    const ratio = percentile(pairs.map((pair) => pair.plain / pair.served));
    const [plain, served] = [pairs.map((pair) => pair.plain), pairs.map((pair) => pair.served)].map(perSecond);
    figures[`\`${engine}\` as served, compared with FP32`] = {
      value: `${ratio.toFixed(2)} times (${served} and ${plain} input pixels/s)`,
    };
  }
  return figures;
}

/** Measures the second of two runs, because the threads of the other network stay active for about 20 ms. */
async function time(network: Network, planes: Float32Array, side: number): Promise<number> {
  await network.run(planes, side);
  const start = performance.now();
  await network.run(planes, side);
  return performance.now() - start;
}
