import { percentile } from '@uprez/testing/bench-report';
import type { Network } from '../src/engine/upscaler/network.ts';
import { listQuickEngines, withPair } from './open-pair.ts';
import { makeTestTiles } from './test-tiles.ts';

const rounds = 12;
const side = 192;

/**
 * Input pixels a second of each engine, plain and as it serves: turn by turn in one process, on the same tiles. The
 * ratio is the median of the pairs' ratios, which other load on the machine moves least.
 */
export async function engineSpeed(folder: string): Promise<void> {
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
    console.log(`${engine}, ${side} px tiles: plain ${plain} px/s, served ${served} px/s, ${ratio.toFixed(2)} times`);
  }
}

/** The second of two runs: for some 20 ms after a switch, the threads of the other network still look for work. */
async function time(network: Network, planes: Float32Array, side: number): Promise<number> {
  await network.run(planes, side);
  const start = performance.now();
  await network.run(planes, side);
  return performance.now() - start;
}
