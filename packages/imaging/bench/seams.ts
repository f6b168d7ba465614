import { availableParallelism } from 'node:os';
import type { AiEngine } from '@uprez/contracts/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { locateModel } from '@uprez/models/locate-model';
import { enlarge } from '../src/engine/upscaler/enlarge.ts';
import { openNetwork } from '../src/engine/upscaler/open-network.ts';
import type { Tile } from '../src/plan/choose-tile.ts';
import { type Picture, readAll, streamOf } from '../test/pictures.ts';
import { loadPhotos, middleOf } from './photos.ts';

/** Source pixels of a side; of the border that is left out, where the two tilings see other surroundings. */
const [side, border] = [224, 40];
const signal = new AbortController().signal;
const tilings: Record<AiEngine, Tile[]> = {
  'photo-fast': [16, 24, 32].map((overlap) => ({ core: 96, overlap })),
  'art-fast': [12, 18, 24].map((overlap) => ({ core: 96, overlap })),
  art: [16, 24, 32].map((overlap) => ({ core: 96, overlap })),
  photo: [16, 24, 32, 40].map((overlap) => ({ core: 96, overlap })),
};

/** Photos drawn in tiles against the same drawn in one tile: how far samples are apart, and what the tiling costs. */
export async function benchSeams(engine: AiEngine = 'photo-fast', photos = ['kodak-1', 'kodak-5']): Promise<string[]> {
  const model = await locateModel(modelsDirOfEnvironment(), engine);
  const network = await openNetwork(model.path, availableParallelism());
  const draw = (picture: Picture, tile: Tile) =>
    readAll(enlarge(streamOf(picture), { network, tile, signal, onTile: () => {} }));
  const lines: string[] = [];
  try {
    for (const photo of (await loadPhotos()).filter(({ name }) => photos.includes(name))) {
      const picture = middleOf(photo, side);
      const whole = await draw(picture, { core: side, overlap: 32 });
      for (const tile of tilings[engine]) {
        const found = describeDifferences(await draw(picture, tile), whole);
        const work = ((tile.core + 2 * tile.overlap) / tile.core) ** 2;
        lines.push(
          `${engine}, ${photo.name}, overlap ${tile.overlap} (work x${work.toFixed(2)} at core ${tile.core}): ${found}`,
        );
      }
    }
  } finally {
    await network.close();
  }
  return lines;
}

function describeDifferences(tiled: Picture, whole: Picture): string {
  const counts = new Float64Array(256);
  const margin = border * 4;
  for (let y = margin; y < whole.height - margin; y++)
    for (let i = (y * whole.width + margin) * 3; i < ((y + 1) * whole.width - margin) * 3; i++) {
      const difference = Math.abs((tiled.data[i] ?? 0) - (whole.data[i] ?? 0));
      counts[difference] = (counts[difference] ?? 0) + 1;
    }
  const total = counts.reduce((sum, count) => sum + count, 0);
  const mean = counts.reduce((sum, count, difference) => sum + count * difference, 0) / total;
  const most = counts.findLastIndex((count) => count > 0);
  let seen = 0;
  const high = counts.findIndex((count) => {
    seen += count;
    return seen >= 0.999 * total;
  });
  return `at most ${most}/255, 99.9 % within ${high}/255, mean ${mean.toFixed(3)}/255`;
}
