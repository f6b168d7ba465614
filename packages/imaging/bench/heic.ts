import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareGoals, reportResults } from '@uprez/testing/bench-report';
import { deltaE, type LinearRgb } from '../src/color/color-difference.ts';
import { guardedSharp } from '../src/decoders.ts';
import { linearTable } from '../src/engine/rows/linear-light.ts';
import type { Depth } from '../src/engine/rows/row-stream.ts';
import { decodeImage } from '../test/support/decode-image.ts';
import type { Image } from '../test/support/images.ts';

/**
 * Decodes every HEIC file of a folder, and compares the samples with those of `heif-convert` (Debian: libheif-examples), another
 * build of the same library with another version. Prints the size, and percentiles of the color difference (CIEDE2000). Run by
 * `npm run bench:heic -- [FOLDER] [--save]`.
 */
const { positionals } = parseArgs({ allowPositionals: true, options: { save: { type: 'boolean' } } });
const [folder = '../shared/corpus/heic'] = positionals;
const work = mkdtempSync(join(tmpdir(), 'uprez-heic-'));

/** The primary image that heif-convert writes as PNG. Files of several images are numbered in the order of heif-info. */
async function decodeElsewhere(path: string): Promise<Image> {
  for (const name of readdirSync(work)) rmSync(join(work, name));
  execFileSync('heif-convert', [path, join(work, 'image.png')], { stdio: 'ignore' });
  const list = execFileSync('heif-info', [path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const images = list.split('\n').filter((line) => line.startsWith('image:'));
  const number = 1 + images.findIndex((line) => line.endsWith('primary'));
  const name = images.length > 1 ? `image-${number}.png` : 'image.png';
  const image = guardedSharp(readFileSync(join(work, name)), { ignoreIcc: true });
  const { depth, channels } = await image.metadata();
  const isDeep = depth === 'ushort';
  const { data, info } = await image
    .toColorspace(channels < 3 ? (isDeep ? 'grey16' : 'b-w') : isDeep ? 'rgb16' : 'srgb')
    .raw({ depth: isDeep ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  return { width: info.width, height: info.height, channels: info.channels as Image['channels'], data: samples };
}

function lightAt({ data, channels }: Image, pixel: number): LinearRgb {
  const table = linearTable((data.BYTES_PER_ELEMENT * 8) as Depth);
  const at = (c: number) => table[data[pixel * channels + (channels < 3 ? 0 : c)] as number] as number;
  return [at(0), at(1), at(2)];
}

const compared: { median: number; high: number; most: number }[] = [];
for (const name of readdirSync(folder)) {
  const path = join(folder, name);
  try {
    const start = performance.now();
    const { image, notes } = await decodeImage(readFileSync(path), { format: 'png' });
    const ms = Math.round(performance.now() - start);
    const other = await decodeElsewhere(path);
    const size = `${image.width} x ${image.height} x ${image.channels}`;
    if (image.width !== other.width || image.height !== other.height)
      console.log(`${name}: ${size}, but ${other.width} x ${other.height} elsewhere`);
    else {
      const step = Math.max(1, Math.floor((image.width * image.height) / 1_000_000));
      const count = Math.floor((image.width * image.height) / step);
      const found = Float64Array.from({ length: count }, (_, i) =>
        deltaE(lightAt(image, i * step), lightAt(other, i * step)),
      );
      found.sort();
      const at = (share: number) => found[Math.min(count - 1, Math.floor(count * share))] ?? 0;
      const [median, high, most] = [at(0.5), at(0.999), at(1)];
      compared.push({ median, high, most });
      console.log(
        `${name}: ${size}, ${ms} ms, median ${median.toFixed(3)}, 99.9% ${high.toFixed(3)}, most ${most.toFixed(2)} ${notes.join(' ')}`,
      );
    }
  } catch (error) {
    console.log(
      `${name}: ${error instanceof Error ? error.message : error}`,
      error instanceof Error ? (error.cause ?? '') : '',
    );
  }
}
rmSync(work, { recursive: true });
const figures = {
  'files of the same size as from `heif-convert`': { value: `${compared.length} of ${readdirSync(folder).length}` },
  'files of the same colors': { value: compared.filter(({ most }) => most === 0).length },
  'largest color difference in the median of a file (CIEDE2000)': {
    value: Math.max(...compared.map(({ median }) => median)),
  },
  'the same for 99.9% of the pixels': { value: Math.max(...compared.map(({ high }) => high)) },
};
reportResults('heic', compareGoals(figures));
