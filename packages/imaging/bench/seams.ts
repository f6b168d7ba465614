import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AiEngine } from '@uprez/contracts/policy/images/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { listModels } from '@uprez/models/locate-model';
import { models } from '@uprez/models/manifest';
import type { Figures } from '@uprez/testing/bench-report';
import { openNetworks } from '../src/engine/open-networks.ts';
import type { ThreadedStrips } from '../src/engine/strips/threads/open-strip-pool.ts';
import { upscale } from '../src/engine/upscaler/upscale.ts';
import { networkTraits } from '../src/pipeline/choose-passes.ts';
import { readAll, streamOf } from '../test/support/image-streams.ts';
import type { Image } from '../test/support/images.ts';
import { loadPhotos, middleOf, type Photo } from './photos.ts';

/** Source pixels per side, and of the border to ignore, where the context of the tilings differs. */
const [side, border] = [224, 40];
const unwatched = { signal: new AbortController().signal, onTile: () => {} };
/** Tiles whose context covers the receptive field match exactly. Others are blended. */
const fadeOf = (engine: AiEngine, overlap: number) => (overlap < models[engine].radius ? Math.floor(overlap / 4) : 0);
const core = 96;
const overlaps = [16, 24, 32, 34, 40];
const shown = ['kodak-1', 'kodak-5'];

/** Compares photos upscaled in tiles and in one tile: difference of samples, and cost of the tiling. */
export async function seams(folder: string): Promise<Figures> {
  const photos = (await loadPhotos(folder)).filter(({ name }) => shown.includes(name));
  for (const engine of listModels(modelsDirOfEnvironment())) await measureSeams(engine, photos);
  return {};
}

async function measureSeams(engine: AiEngine, photos: Photo[]): Promise<void> {
  const options = { engines: [engine], modelsDir: modelsDirOfEnvironment(), threads: availableParallelism() };
  const { [engine]: network } = await openNetworks(options);
  if (!network) return;
  if (network.strips) await measureBands(engine, network.strips, photos);
  const draw = (image: Image, overlap: number, core: number) =>
    readAll(
      upscale(streamOf(image), { network, tile: { core, overlap, fade: fadeOf(engine, overlap) }, ...unwatched }),
    );
  try {
    for (const photo of photos) {
      const image = middleOf(photo, side);
      const whole = await draw(image, 40, side);
      for (const overlap of overlaps) {
        const found = describeDifferences(await draw(image, overlap, core), whole);
        const work = ((core + 2 * overlap) / core) ** 2;
        console.log(
          `${engine} ${network.variant}, ${photo.name}, overlap ${overlap} (work x${work.toFixed(2)} at core ${core}): ${found}`,
        );
      }
    }
  } finally {
    await network.close();
  }
}

/** Source pixels per side of the images that are divided into two bands. */
const wideSide = 448;

/** Compares photos upscaled in two bands and in one. */
async function measureBands(engine: AiEngine, strips: ThreadedStrips, photos: Photo[]): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-seams-'));
  const { rows, lag, border } = networkTraits[engine].strip;
  const draw = (image: Image, bands: number) => {
    const strip = { rows, lag, border, width: Math.ceil((image.width + 2 * border) / bands) };
    const options = { inBands: bands > 1, strip, dir, ...unwatched };
    return readAll(strips.upscale(streamOf(image), { ...options, onRun: () => {}, onStrip: () => {} }));
  };
  for (const photo of photos) {
    const image = middleOf(photo, wideSide);
    const found = describeDifferences(await draw(image, 2), await draw(image, 1), 0);
    console.log(`${engine}, ${photo.name}, two bands: ${found}`);
  }
  await rm(dir, { recursive: true });
}

/** `ignored`: source pixels at the border that are not compared. */
function describeDifferences(tiled: Image, whole: Image, ignored = border): string {
  const counts = new Float64Array(256);
  const margin = ignored * 4;
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
