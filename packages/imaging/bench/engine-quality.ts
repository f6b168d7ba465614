import { type Figures, percentile } from '@uprez/testing/bench-report';
import { measurePsnrDb } from '../src/engine/open-networks.ts';
import { listQuickEngines, withPair } from './open-pair.ts';
import { makeTestTiles } from './test-tiles.ts';

const side = 128;

/** Measures how close each served engine is to FP32 on 12 images that no recipe was calibrated with. */
export async function engineQuality(folder: string): Promise<Figures> {
  const figures: Figures = {};
  const tiles = await makeTestTiles(folder, side);
  for (const engine of await listQuickEngines()) {
    await withPair(engine, async ({ plain, served }) => {
      console.log(`${engine}: ${served.variant}, ${served.reason}`);
      const likenesses: number[] = [];
      for (const { name, planes } of tiles) {
        likenesses.push(measurePsnrDb(await plain.run(planes, side), await served.run(planes, side)));
        console.log(`  ${name.padEnd(10)} ${likenesses.at(-1)?.toFixed(2)} dB`);
      }
      figures[`\`${engine}\` as served, lowest similarity to FP32 of ${tiles.length} images`] = {
        ...{ value: Math.min(...likenesses), median: percentile(likenesses), unit: 'dB' },
      };
    });
  }
  return figures;
}
