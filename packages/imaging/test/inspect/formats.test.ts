import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatTraits,
  inputFormats,
  type RequestedFormat,
  requestedFormats,
} from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makeBmpFile } from '../hostile/bmp-file.ts';
import { makeExif } from '../hostile/exif-block.ts';
import { heicFixture } from '../hostile/heif-file.ts';
import { jxlFixture } from '../hostile/jxl-file.ts';
import { insertChunks, pngChunk } from '../hostile/png-file.ts';
import { type Child, isMessage, startChild } from '../support/child-process.ts';
import { toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto } from '../support/images.ts';
import { makeJobDir, pipelineFor, toReadable } from '../support/run-job.ts';

const size = { width: 64, height: 48 };
const photo = makePhoto(size);
const grey = makePhoto({ ...size, channels: 1 });
/** Opaque up to the middle; what is transparent hides black. */
const cutOut = makeImage({ ...size, channels: 4 }, (x, y) =>
  x < 32 ? [...photo.data.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3), 255] : [0, 0, 0, 0],
);
/** The photo as it is stored to be turned by a half (orientation 3). */
const turned = makeImage(size, (x, y) => {
  const at = ((47 - y) * 64 + 63 - x) * 3;
  return [...photo.data.subarray(at, at + 3)];
});
const fine = { quality: 100, chromaSubsampling: '4:4:4' } as const;
const exifOf = makeExif({ artist: 'someone', copyright: 'someone' });
const bgr = ([r = 0, g = 0, b = 0]: number[]) => r * 65_536 + g * 256 + b;

type Kind = { image: Image; file: () => Promise<Buffer> | Buffer; profile?: true };
const kinds: Record<string, Kind> = {
  jpeg: { image: photo, file: () => toSharp(photo).jpeg(fine).toBuffer() },
  'jpeg, grey': { image: grey, file: () => toSharp(grey).jpeg(fine).toBuffer() },
  'jpeg, turned': {
    image: photo,
    profile: true,
    file: () => toSharp(turned).withMetadata({ orientation: 3 }).jpeg(fine).toBuffer(),
  },
  'jpeg, P3': {
    image: photo,
    profile: true,
    file: () => toSharp(photo).withIccProfile('p3').jpeg(fine).toBuffer(),
  },
  png: { image: photo, file: () => toSharp(photo).png().toBuffer() },
  'png, grey': { image: grey, file: () => toSharp(grey).png().toBuffer() },
  'png, alpha': { image: cutOut, file: () => toSharp(cutOut).png().toBuffer() },
  'png, 16 bits': { image: deepen(photo), file: () => toSharp(deepen(photo)).png().toBuffer() },
  'png, 16 bits, alpha': { image: deepen(cutOut), file: () => toSharp(deepen(cutOut)).png().toBuffer() },
  'png, turned': {
    image: photo,
    file: async () => insertChunks(await toSharp(turned).png().toBuffer(), [pngChunk('eXIf', exifOf)]),
  },
  webp: { image: photo, file: () => toSharp(photo).webp({ lossless: true }).toBuffer() },
  'webp, alpha': { image: cutOut, file: () => toSharp(cutOut).webp({ lossless: true }).toBuffer() },
  gif: { image: photo, file: () => toSharp(photo).gif().toBuffer() },
  'gif, alpha': { image: cutOut, file: () => toSharp(cutOut).gif().toBuffer() },
  tiff: { image: photo, file: () => toSharp(photo).tiff({ compression: 'lzw' }).toBuffer() },
  'tiff, 16 bits': {
    image: deepen(photo),
    file: () => toSharp(deepen(photo)).tiff({ compression: 'lzw' }).toBuffer(),
  },
  'tiff, alpha': { image: cutOut, file: () => toSharp(cutOut).tiff({ compression: 'lzw' }).toBuffer() },
  bmp: { image: photo, file: () => makeBmpFile(photo, { bits: 24 }, bgr) },
  avif: {
    image: photo,
    file: () =>
      toSharp(photo)
        .avif({ ...fine, effort: 0 })
        .toBuffer(),
  },
  heic: { image: photo, file: () => heicFixture('photo') },
  'heic, 4:2:0': { image: photo, file: () => heicFixture('subsampled') },
  'heic, grey': { image: grey, file: () => heicFixture('grey') },
  'heic, 10 bits': { image: deepen(photo), file: () => heicFixture('photo-10') },
  'heic, alpha': { image: cutOut, file: () => heicFixture('alpha') },
  jxl: { image: photo, file: () => jxlFixture('photo') },
  'jxl, 16 bits': { image: deepen(photo), file: () => jxlFixture('deep') },
  'avif, alpha': {
    image: cutOut,
    file: () =>
      toSharp(cutOut)
        .avif({ ...fine, effort: 0 })
        .toBuffer(),
  },
};

let child: Child;
beforeAll(async () => {
  child = startChild('engine/child', { engines: ['standard'], modelsDir: '/nonexistent', threads: 1 });
  await child.next(isMessage('ready'));
});
afterAll(() => child.stop());

let runs = 0;
async function runInChild(file: Buffer, pipeline: ImagePipeline): Promise<{ result: Buffer; receipt: Receipt }> {
  const { dir, remove } = await makeJobDir(file);
  const runId = `run ${runs++}`;
  child.send({ type: 'run', runId, pipeline, dir });
  const done = await child.next((message) => isMessage('done', runId)(message) || isMessage('failed', runId)(message));
  if (done.type !== 'done') throw new Error(JSON.stringify(done));
  const result = await readFile(join(dir, 'result'));
  await remove();
  return { result, receipt: done.result };
}

/** Mean difference of 255 in the left third, against the original sampled at the same places. */
async function colorError(file: Buffer, original: Image): Promise<number> {
  const { data, info } = await guardedSharp(file, { ignoreIcc: true })
    .toColorspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const scale = original.data instanceof Uint16Array ? 257 : 1;
  const box = { width: size.width / width, height: size.height / height };
  let [sum, count] = [0, 0];
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width / 3; x++)
      for (let c = 0; c < 3; c++) {
        const from = (u: number, v: number) =>
          (original.data[(v * size.width + u) * original.channels + (original.channels < 3 ? 0 : c)] ?? 0) / scale;
        const [u, v] = [(x + 0.5) * box.width - 0.5, (y + 0.5) * box.height - 0.5];
        const [u0, v0] = [Math.floor(u), Math.floor(v)];
        const across = (row: number) => from(u0, row) * (u0 + 1 - u) + from(u0 + 1, row) * (u - u0);
        const wanted = across(v0) * (v0 + 1 - v) + across(v0 + 1) * (v - v0);
        sum += Math.abs(wanted - (data[(y * width + x) * channels + (channels < 3 ? 0 : c)] ?? 0));
        count++;
      }
  return sum / count;
}

/** One image of each kind of pixels, for what depends on the pixels and not on the format of the input. */
const pixelKinds = ['jpeg', 'jpeg, grey', 'jpeg, P3', 'png, alpha', 'png, 16 bits', 'png, 16 bits, alpha', 'jxl'];
/** The encoder of JPEG XL takes long to start. */
const isQuick = (kind: string, format: RequestedFormat) => format !== 'jxl' || pixelKinds.includes(kind);
/** Encoders don't depend on the scale: every image is shrunk to PNG, and one to every format. */
const isShrunk = (kind: string, format: RequestedFormat) => format === 'png' || kind === 'png, 16 bits, alpha';
const matrix = Object.keys(kinds).flatMap((kind) =>
  requestedFormats
    .filter((format) => isQuick(kind, format))
    .map((format) => [kind, format, isShrunk(kind, format) ? [0.5, 1.5] : [1.5]] as const),
);

it('includes an image of every format', () => {
  for (const format of inputFormats) expect(Object.keys(kinds)).toContain(format);
});

it.each(matrix)('converts %s to %s, scaled by %j', async (kind, format, scaleFactors) => {
  const { image, file: make, profile } = kinds[kind] as Kind;
  const file = await make();
  for (const scaleFactor of scaleFactors) {
    const pipeline = await pipelineFor(file, { format, scaleFactor, quality: 95 });
    const { output } = pipeline;
    const { result, receipt } = await runInChild(file, pipeline);
    const traits = formatTraits[output.format];
    const [isGray, hasAlpha] = [image.channels < 3, image.channels % 2 === 0];
    const isDeep = image.data instanceof Uint16Array && traits.deep;
    const keepsGrey = isGray && ['png', 'jpeg', 'jxl', 'tiff'].includes(output.format);
    const inspection = await inspect(result);
    expect(inspection).toMatchObject({
      ...{ format: output.format, width: 64 * scaleFactor, height: 48 * scaleFactor, orientation: 1, frames: 1 },
      // libvips declares a transparent color in most GIF files.
      ...(output.format !== 'gif' && { channels: (keepsGrey ? 1 : 3) + (hasAlpha && traits.alpha ? 1 : 0) }),
      bitDepth: isDeep ? 16 : 8,
      hasProfile: profile === true && output.format !== 'gif',
    });
    const readable = await toReadable(result);
    const header = await guardedSharp(readable).metadata();
    expect([header.exif, header.xmp, header.orientation ?? 1]).toEqual([undefined, undefined, 1]);
    const tolerance = kind.startsWith('gif') || output.format === 'gif' ? 12 : 5;
    if (!profile || output.format !== 'gif') expect(await colorError(readable, image)).toBeLessThan(tolerance);
    expect(receipt).toMatchObject({
      ...{ engine: 'standard', format: output.format, sizeBytes: result.length, bitDepth: isDeep ? 16 : 8, tiles: 0 },
      quality: traits.lossy ? 95 : null,
    });
  }
});
