import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Figures, percentile } from '@uprez/testing/bench-report';
import { makeRandom } from '../../src/calibrate/tile.ts';
import { type DetailMap, measureDetail, workingFactor } from '../../src/engine/detail/measure-detail.ts';
import { decodeImage } from '../../test/support/decode-image.ts';
import { rowsOf } from '../../test/support/image-streams.ts';
import { type Image, makeImage } from '../../test/support/images.ts';
import {
  addCameraNoise,
  compress,
  pasteFaded,
  resizeTo,
  type Softening,
  sharpen,
  soften,
  softenKinds,
} from './degrade.ts';
import { findDetailedCrops, loadSources, type Source } from './sources.ts';
import { makeTraps } from './traps.ts';

/** A labeled image: how a sharp crop was changed. `factor`: the effective resolution that is left. */
export type Labeled = {
  source: Source;
  factor: number;
  how: Softening | 'none';
  noise: boolean;
  sharpened: boolean;
  quality: number | undefined;
};
type Measured = Labeled & { map: DetailMap };

const factors = [1, 0.8, 0.65, 0.5, 0.35];
const qualities = [undefined, 92, 75];
/** Combinations of noise, sharpening, and compression of each soft image. Sharp ones have all 12. */
const combinationsPerImage = 2;

const seedOf = (text: string) => crc32(text) | 0;
/** Divides sources into those that thresholds were tuned with (0), and those that are reported (1). */
const halfOf = ({ group }: Source) => crc32(group) % 2;

/** Lists labeled images of a half of the sources. */
export function listLabeled(sources: Source[], half: 0 | 1): Labeled[] {
  const all = [false, true].flatMap((noise) =>
    [false, true].flatMap((sharpened) => qualities.map((quality) => ({ noise, sharpened, quality }))),
  );
  return sources
    .filter((source) => halfOf(source) === half)
    .flatMap((source) =>
      factors.flatMap((factor) =>
        (factor === 1 ? (['none'] as const) : softenKinds).flatMap((how) => {
          const random = makeRandom(seedOf(`${source.name} ${factor} ${how}`));
          const chosen = factor === 1 ? all : all.toSorted(() => random() - 0.5).slice(0, combinationsPerImage);
          return chosen.map((combination) => ({ source, factor, how, ...combination }));
        }),
      ),
    );
}

export async function makeLabeled({ source, factor, how, noise, sharpened, quality }: Labeled): Promise<Image> {
  const seed = seedOf(`${source.name} ${factor} ${how} ${noise} ${sharpened} ${quality}`);
  const soft = how === 'none' ? source.image : await soften(source.image, factor, how);
  const noisy = noise ? await addCameraNoise(soft, seed) : soft;
  const finished = sharpened ? await sharpen(noisy, 0.6, 1) : noisy;
  return quality ? compress(finished, quality) : finished;
}

/**
 * Measures the effective resolution of labeled images: sharp crops of photos, drawings, and text that were softened to
 * a known share. Then of images that mislead, and of soft images with sharp parts, and the time for 12 MP.
 */
export async function detail(folder: string): Promise<Figures> {
  const sources = await loadSources(folder);
  const measured: Measured[] = [];
  for (const labeled of listLabeled(sources, 1))
    measured.push({ ...labeled, map: await measureDetail(rowsOf(await makeLabeled(labeled))) });
  const isTooSmall = ({ factor, map }: Measured) => workingFactor(map.image, 2) < 0.95 * factor;
  const sharp = measured.filter(({ factor }) => factor === 1);
  describeErrors(measured);
  return {
    [`labeled images worked below their resolution, of ${measured.length}`]: {
      value: shareOf(measured, isTooSmall),
      unit: '%',
      atMost: 1.5,
    },
    [`sharp images worked below their size, of ${sharp.length}`]: {
      value: shareOf(sharp, isTooSmall),
      unit: '%',
      atMost: 0.5,
    },
    'pixels of images of half resolution to work at, mean': {
      value: meanWork(measured.filter(({ factor }) => factor === 0.5)),
      unit: '%',
    },
    ...(await measureTraps(folder)),
    ...(await measureMosaics(sources)),
    ...(await measureTime(sources)),
  };
}

const shareOf = <T>(list: T[], test: (one: T) => boolean) => (100 * list.filter(test).length) / list.length;
const meanWork = (list: Measured[]) =>
  (100 * list.reduce((sum, { map }) => sum + workingFactor(map.image, 2) ** 2, 0)) / list.length;

function describeErrors(measured: Measured[]): void {
  for (const factor of factors) {
    const scales = measured.filter((one) => one.factor === factor).map(({ map }) => map.image);
    const [low, middle, high] = [0.02, 0.5, 0.9].map((p) => percentile(scales, p).toFixed(2));
    console.log(`resolution ${factor}: 2 % of ${scales.length} at most ${low}, median ${middle}, 90 % at most ${high}`);
  }
}

async function measureTraps(folder: string): Promise<Figures> {
  const path = join(folder, '../heic/example.heic');
  if (!existsSync(path)) return {};
  const { image: photo } = await decodeImage(await readFile(path));
  const traps = await makeTraps(photo);
  let [low, high] = [0, 0];
  for (const { name, from, to, image } of traps) {
    const map = await measureDetail(rowsOf(image));
    const isLow = map.image < from - 0.001;
    if (!isLow && map.image <= to + 0.001) continue;
    if (isLow) low++;
    else high++;
    console.log(`"${name}": ${map.image.toFixed(2)} instead of ${from.toFixed(2)} to ${to.toFixed(2)}`);
  }
  return {
    [`misleading images measured too low, of ${traps.length}`]: { value: low, atMost: 0 },
    'misleading images measured too high, which only saves less': { value: high },
  };
}

const mosaic = { width: 1_536, height: 1_280, part: 96, fade: 12, parts: 6 };
/** Pixels of a sharp part in a block, along each side, from which the block must be found. */
const minOverlap = 40;

/** Pastes sharp parts into soft images, and counts blocks with such a part that are measured below 0.8. */
async function measureMosaics(sources: Source[]): Promise<Figures> {
  let [blocks, missed, soft, kept] = [0, 0, 0, 0];
  for (const [i, { name, image }] of sources.entries()) {
    const [part] = findDetailedCrops(image, 1, { width: mosaic.part, height: mosaic.part });
    const ground = sources[(i + 1) % sources.length]?.image;
    if (!part || !ground) continue;
    const random = makeRandom(seedOf(name));
    const large = await resizeTo(ground, mosaic, 'cubic');
    const places = Array.from({ length: mosaic.parts }, () => ({
      left: Math.floor(random() * (mosaic.width - mosaic.part)),
      top: Math.floor(random() * (mosaic.height - mosaic.part)),
      fade: mosaic.fade,
    }));
    for (const place of places) pasteFaded(large, part, place);
    const { side, across, scales } = await measureDetail(rowsOf(large));
    for (const [at, scale] of scales.entries()) {
      const overlap = Math.max(
        ...places.map((place) => overlapOf(place, (at % across) * side, Math.floor(at / across) * side)),
      );
      if (overlap >= minOverlap) {
        blocks++;
        if (scale < 0.8 - 0.001) missed++;
      } else if (overlap <= 0) {
        soft++;
        if (scale > 0.65 + 0.001) kept++;
      }
    }
  }
  return {
    [`blocks with a sharp part measured below 0.8, of ${blocks}`]: {
      value: (100 * missed) / blocks,
      unit: '%',
      atMost: 0.5,
    },
    [`soft blocks of the same images measured above 0.65, of ${soft}`]: { value: (100 * kept) / soft, unit: '%' },
  };
}

/** Returns the pixels of a sharp part in the block at `x`, `y`, along the shorter side. */
function overlapOf({ left, top }: { left: number; top: number }, x: number, y: number): number {
  const along = (start: number, block: number) => Math.min(start + mosaic.part, block + 256) - Math.max(start, block);
  return Math.min(along(left, x), along(top, y));
}

/** Measures the time for 12 MP, sharp and soft, in milliseconds. */
async function measureTime(sources: Source[]): Promise<Figures> {
  const [width, height] = [4_000, 3_000];
  const image = sources[0]?.image;
  if (!image) return {};
  const tiled = makeImage({ width, height }, (x, y) => {
    const at = ((y % image.height) * image.width + (x % image.width)) * 3;
    return [image.data[at] ?? 0, image.data[at + 1] ?? 0, image.data[at + 2] ?? 0];
  });
  const figures: Figures = {};
  for (const [name, large] of [
    ['sharp', tiled],
    ['soft', await resizeTo(image, { width, height }, 'cubic')],
  ] as const) {
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const start = performance.now();
      await measureDetail(rowsOf(large));
      times.push(performance.now() - start);
    }
    figures[`12 MP, ${name}`] = { value: Math.round(percentile(times)), unit: 'ms', atMost: 1_500 };
  }
  return figures;
}
