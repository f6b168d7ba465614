import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { AiEngine } from '@uprez/contracts/policy/images/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { locateModel } from '@uprez/models/locate-model';
import type { Figures } from '@uprez/testing/bench-report';
import { deltaE, type LinearRgb } from '../src/color/color-difference.ts';
import { toLinear } from '../src/color/encoding.ts';
import { matchColor } from '../src/engine/upscaler/match-color.ts';
import { type Network, openNetwork } from '../src/engine/upscaler/network.ts';
import { upscale } from '../src/engine/upscaler/upscale.ts';
import { readAll, streamOf } from '../test/support/image-streams.ts';
import type { Image } from '../test/support/images.ts';
import { drawForColor } from './color-drawings.ts';
import { loadPhotos, middleOf } from './photos.ts';

const engine: AiEngine = 'photo-fast';
const side = 192;
const block = 16;
const signal = new AbortController().signal;

/**
 * Compares the colors of 64 x 64 pixel blocks of `photo-fast` with their 16 x 16 source pixels, before and after the
 * correction: CIEDE2000 of their mean light and of their mean samples. Also measures the cost of the correction.
 */
export async function color(folder: string): Promise<Figures> {
  const photos = (await loadPhotos(folder)).map((photo) => ({ name: photo.name, image: middleOf(photo, side) }));
  const path = await locateModel(modelsDirOfEnvironment(), engine);
  const network = await openNetwork(await readFile(path), availableParallelism());
  try {
    let [networkMs, correctionMs] = [0, 0];
    const worst: number[] = [];
    for (const { name, image } of [...photos, ...drawForColor(side)]) {
      const plain = await timed(() => readAll(draw(network, image)));
      const kept = await timed(() => readAll(matchColor(streamOf(image), replay(plain.value))));
      networkMs += plain.ms;
      correctionMs += kept.ms;
      const [light, samples] = ([meanLight, meanSamples] as const).map((mean) =>
        [plain, kept].map(({ value }) => describe(compareBlocks(image, value, mean))).join(' -> '),
      );
      worst.push(compareBlocks(image, kept.value, meanLight).at(-1) ?? 0);
      console.log(`${name}: ΔE00 of blocks by light ${light}; by samples ${samples}`);
    }
    console.log(`worst block of all by light: ${Math.max(...worst).toFixed(2)}`);
    console.log(`the correction takes ${((100 * correctionMs) / networkMs).toFixed(1)} % of the network's time`);
  } finally {
    await network.close();
  }
  return {};
}

const draw = (network: Network, image: Image) =>
  upscale(streamOf(image), { network, tile: { core: side, overlap: 24, fade: 6 }, signal, onTile: () => {} });

/** Returns a stub of the network that reads the source and returns the recorded output. */
const replay = (drawn: Image) => (source: ReturnType<typeof streamOf>) => {
  const stream = streamOf(drawn);
  let isRead = false;
  const read = async (count: number) => {
    if (!isRead) await source.read(source.height);
    isRead = true;
    return stream.read(count);
  };
  return { ...stream, read };
};

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await work(), ms: performance.now() - start };
}

type Square = { left: number; top: number; length: number };
type Mean = (image: Image, square: Square) => LinearRgb;

function meanOf(
  { width, channels, data }: Image,
  { left, top, length }: Square,
  convert: (v: number) => number,
): LinearRgb {
  const mean = (c: number) => {
    let sum = 0;
    for (let y = top; y < top + length; y++)
      for (let x = left; x < left + length; x++) sum += convert((data[(y * width + x) * channels + c] ?? 0) / 255);
    return sum / length ** 2;
  };
  return [mean(0), mean(1), mean(2)];
}
const meanLight: Mean = (image, square) => meanOf(image, square, toLinear);
const meanSamples: Mean = (image, square) => {
  const [red, green, blue] = meanOf(image, square, (v) => v);
  return [toLinear(red), toLinear(green), toLinear(blue)];
};

/** Returns the color differences of all blocks (CIEDE2000) in ascending order. */
function compareBlocks(source: Image, large: Image, mean: Mean): number[] {
  const differences: number[] = [];
  for (let top = 0; top + block <= source.height; top += block)
    for (let left = 0; left + block <= source.width; left += block)
      differences.push(
        deltaE(
          mean(source, { left, top, length: block }),
          mean(large, { left: 4 * left, top: 4 * top, length: 4 * block }),
        ),
      );
  return differences.sort((a, b) => a - b);
}

function describe(differences: number[]): string {
  const average = differences.reduce((sum, difference) => sum + difference, 0) / differences.length;
  const high = differences[Math.floor(differences.length * 0.95)] ?? 0;
  return `${average.toFixed(2)} (95 %: ${high.toFixed(2)}, worst ${(differences.at(-1) ?? 0).toFixed(2)})`;
}
