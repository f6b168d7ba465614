import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { locateModel } from '@uprez/models/locate-model';
import { type Figures, percentile } from '@uprez/testing/bench-report';
import { findDamage, placeCrops } from '../src/engine/detail/find-damage.ts';
import { planParts } from '../src/engine/detail/plan-parts.ts';
import { openNetwork } from '../src/engine/upscaler/network.ts';
import { upscale } from '../src/engine/upscaler/upscale.ts';
import { upscaleFrame } from '../src/engine/upscaler/upscale-color.ts';
import { toSharp } from '../test/support/image-files.ts';
import { readAll, streamOf } from '../test/support/image-streams.ts';
import { type Image, psnr } from '../test/support/images.ts';
import { addNoise, blur, compress } from './detail/degrade.ts';
import { cutOut, loadPhotos, middleOf } from './photos.ts';

const side = 384;
const tile = { core: 96, overlap: 34, fade: 0 };
const damages: Record<string, (photo: Image) => Promise<Image>> = {
  none: async (photo) => photo,
  'JPEG of quality 30': (photo) => compress(photo, 30),
  noise: (photo) => compress(addNoise(photo, 10, 1), 75),
  'slight noise': (photo) => compress(addNoise(photo, 5, 1), 95),
  blur: async (photo) => compress(await blur(photo, 1.3), 80),
};

/**
 * Enhances damaged photos at their own size with `photo-fast`, at two thirds of their size with the low frequencies of
 * the source, and at full size without them. Measures PSNR, and the distance of Butteraugli (3-norm) if
 * `butteraugli_main` of libjxl-devtools is installed. Counts the photos in which damage is found.
 */
export async function enhance(folder: string): Promise<Figures> {
  const figures: Figures = {};
  const model = await readFile(await locateModel(modelsDirOfEnvironment(), 'photo-fast'));
  const network = await openNetwork(model, availableParallelism());
  const dir = await mkdtemp(join(tmpdir(), 'uprez-enhance-'));
  const signal = new AbortController().signal;
  const run = (source: ReturnType<typeof streamOf>) => upscale(source, { network, tile, signal, onTile: () => {} });
  const whole = { width: side, height: side };
  const blocks = { side, across: 1, down: 1, factors: [1] };
  const [part] = planParts({ blocks, largest: 2 / 3, source: whole, output: whole });
  const frame = { engine: 'photo-fast', isGray: false, passes: 1, output: whole, upscale: run } as const;
  try {
    const wholePhotos = await loadPhotos(folder);
    const photos = wholePhotos.map((photo) => middleOf(photo, side));
    for (const [damage, apply] of Object.entries(damages)) {
      const distances: Record<string, number[]> = {};
      for (const photo of photos) {
        const source = await apply(photo);
        const open = () => streamOf(source);
        const images = {
          damaged: source,
          'full size': await readAll(upscaleFrame(open, frame)),
          enhanced: await readAll(upscaleFrame(open, { ...frame, ...(part && { placed: { part, whole } }) })),
        };
        for (const [name, image] of Object.entries(images)) {
          distances[`${name}, PSNR in dB`] = [...(distances[`${name}, PSNR in dB`] ?? []), psnr(photo, image)];
          const distance = await measureButteraugli(dir, photo, image);
          if (distance !== undefined)
            distances[`${name}, Butteraugli`] = [...(distances[`${name}, Butteraugli`] ?? []), distance];
        }
      }
      for (const [name, values] of Object.entries(distances))
        figures[`${damage}: ${name}`] = { value: percentile(values), unit: `median of ${values.length}` };
      let found = 0;
      for (const photo of wholePhotos) if (await isFound(await apply(photo))) found++;
      figures[`${damage}: damage found`] = { value: found, unit: `of ${wholePhotos.length} photos` };
    }
  } finally {
    await network.close();
    await rm(dir, { recursive: true });
  }
  return figures;
}

const isFound = async (image: Image) =>
  (await findDamage(
    placeCrops(image).map((place) => {
      const { data, ...crop } = cutOut(image, place);
      return { ...crop, data: Uint8Array.from(data) };
    }),
  )) !== undefined;

async function measureButteraugli(dir: string, original: Image, image: Image): Promise<number | undefined> {
  const paths = [join(dir, 'original.png'), join(dir, 'image.png')] as const;
  await toSharp(original).png().toFile(paths[0]);
  await toSharp(image).png().toFile(paths[1]);
  try {
    const printed = execFileSync('butteraugli_main', paths, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/3-norm: ([\d.]+)/.exec(printed)?.[1]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
