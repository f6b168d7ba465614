import { makeRandom, testSeed } from '@uprez/testing/random';
import { describe, expect, it } from 'vitest';
import { listGifFrames } from '../../src/canvas/list-gif-frames.ts';
import { findUsedCodes, hasUncoveredArea, replaceCode } from '../../src/canvas/make-gif-canvas-transparent.ts';
import { guardedSharp } from '../../src/decoders.ts';
import { inspect } from '../../src/inspect/inspect.ts';
import { makeWorkBudget } from '../../src/inspect/work-budget.ts';
import { makeAnimatedWebp } from '../hostile/animations.ts';
import { decodeImage } from '../support/decode-image.ts';
import { drawGif, type GifCanvas, type GifImage, makeGif } from '../support/gif-file.ts';
import { type Image, makeImage, maxDifference } from '../support/images.ts';
import { pipelineFor, processFile, runJob } from '../support/run-job.ts';

const four = [255, 0, 0, 0, 0, 255, 0, 200, 0, 90, 90, 90];
const many = Array.from({ length: 256 }, (_, i) => [i, (i * 7) % 256, 255 - i]).flat();
const whole = { left: 0, top: 0, width: 4, height: 3, pixels: Array<number>(12).fill(0), disposal: 0 };
const corner = { left: 1, top: 1, width: 2, height: 1, pixels: [2, 3], disposal: 0 };
const size = { width: 4, height: 3, palette: four };

const canvases: Record<string, GifCanvas> = {
  'a first frame smaller than the canvas': { ...size, frames: [corner, { ...corner, pixels: [0, 1] }] },
  'a still image smaller than the canvas': { ...size, frames: [{ ...corner, isBare: true }] },
  'disposal to the background': { ...size, frames: [{ ...whole, disposal: 2 }, corner, { ...corner, left: 0 }] },
  'disposal of a part to the background': {
    ...size,
    frames: [whole, { ...corner, disposal: 2 }, { ...corner, left: 0 }],
  },
  'disposal to a canvas that nothing was drawn on': { ...size, frames: [{ ...whole, disposal: 3 }, corner] },
  'disposal to a removed frame': {
    ...size,
    frames: [{ ...whole, disposal: 2 }, { ...whole, pixels: Array<number>(12).fill(1), disposal: 3 }, corner],
  },
  'disposal to a removed frame, as some encoders write it': {
    ...size,
    frames: [{ ...whole, disposal: 2 }, { ...whole, pixels: Array<number>(12).fill(1), disposal: 4 }, corner],
  },
  'disposal to the frame before': { ...size, frames: [corner, { ...whole, disposal: 3 }, { ...corner, left: 2 }] },
  'color tables of its frames': { ...size, frames: [{ ...corner, palette: many, pixels: [255, 254] }, corner] },
  'interlaced frames': {
    ...size,
    frames: [{ ...whole, top: 0, height: 2, pixels: [0, 1, 2, 3, 3, 2, 1, 0], isInterlaced: true }],
  },
  'a transparent color in some frames': {
    ...size,
    frames: [
      corner,
      { ...whole, pixels: [0, 2, ...Array<number>(10).fill(0)], transparent: 0, disposal: 2 },
      { ...corner, left: 2 },
    ],
  },
};

/** Pixels as a browser shows them: the colors of transparent ones don't matter. */
const shown = (image: Image) =>
  makeImage({ ...image, channels: 4 }, (x, y) => {
    const at = (y * image.width + x) * image.channels;
    const opacity = image.channels === 4 ? (image.data[at + 3] ?? 0) : 255;
    return opacity === 0 ? [0, 0, 0, 0] : [...image.data.subarray(at, at + 3), opacity];
  });

const stack = (frames: Image[]): Image => {
  const [first] = frames as [Image];
  const data = Uint8Array.from(frames.flatMap(({ data: samples }) => [...samples]));
  return { ...first, height: first.height * frames.length, data };
};

async function readFrames(file: Buffer): Promise<Image> {
  const { data, info } = await guardedSharp(file, { animated: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 4, data };
}

describe.each(Object.entries(canvases))('a GIF with %s', (_, canvas) => {
  const wanted = drawGif(canvas);

  it('is decoded as browsers show it', async () => {
    const file = makeGif(canvas);
    expect(await inspect(file)).toMatchObject({ hasAlpha: true, channels: 4, frames: canvas.frames.length });
    const { image } = await decodeImage(file, { format: 'webp' });
    expect(maxDifference(shown(image), stack(wanted))).toBe(0);
  });

  it.each(['gif', 'webp', 'png'] as const)('is transparent as %s', async (format) => {
    const { result, report } = await processFile(makeGif(canvas), { scaleFactor: 1, format, quality: 100 });
    const found = await readFrames(result);
    const frames = format === 'png' ? wanted.slice(0, 1) : wanted;
    expect(report.frames).toBe(frames.length);
    const opacity = (image: Image) => [...image.data].filter((_, i) => i % 4 === 3);
    expect(opacity(found)).toEqual(opacity(stack(frames)));
    if (format === 'png') expect(maxDifference(shown(found), stack(frames))).toBe(0);
  });
});

it('shows all 256 colors of a GIF whose frame is removed', async () => {
  const pixels = Array.from({ length: 256 }, (_, i) => i);
  const frame = { left: 0, top: 0, width: 32, height: 8, pixels, disposal: 2 };
  const canvas = { width: 32, height: 8, palette: many, frames: [frame, { ...corner, disposal: 0 }] };
  const { image } = await decodeImage(makeGif(canvas), { format: 'webp' });
  // One color gives its place to transparency, and its pixels take the most similar one.
  expect(maxDifference(shown(image), stack(drawGif(canvas)))).toBeLessThanOrEqual(8);
});

it('replaces a color in much data within little memory', () => {
  const blocks = 20_000;
  const block = Buffer.alloc(256, 0b1010_1010).fill(255, 0, 1);
  const file = Buffer.concat([Buffer.of(8), ...Array<Buffer>(blocks).fill(block), Buffer.of(0)]);
  const before = process.memoryUsage();
  const used = findUsedCodes(file, 0);
  const from = used.lastIndexOf(1);
  replaceCode(file, 0, { from, to: from - 1 });
  const after = process.memoryUsage();
  const grown = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers;
  expect(grown).toBeLessThan(4 * file.length);
  expect(findUsedCodes(file, 0)[from]).toBe(0);
  // The lengths of blocks aren't data.
  for (let i = 0; i < blocks; i++) expect(file[1 + 256 * i]).toBe(255);
});

it('runs a job that an earlier version created as opaque', async () => {
  const file = makeGif({ ...size, frames: [corner, corner] });
  const pipeline = await pipelineFor(file, { format: 'webp', scaleFactor: 1 });
  const earlier = { ...pipeline, source: { ...pipeline.source, hasAlpha: false, channels: 3 as const } };
  expect((await runJob(file, earlier)).report.frames).toBe(2);
});

it('keeps an animation opaque when each frame covers the one before', async () => {
  const canvas = { ...size, frames: [{ ...whole, disposal: 2 }, { ...whole, disposal: 2 }, whole] };
  expect(await inspect(makeGif(canvas))).toMatchObject({ hasAlpha: false, channels: 3 });
});

describe('a GIF with frames outside of its canvas', () => {
  const outside = (place: Partial<GifImage>): GifCanvas => {
    const frame = { ...whole, pixels: Array<number>(4).fill(1), width: 2, height: 2, ...place };
    return { ...size, frames: [whole, frame, whole] };
  };

  it.each([2, 3])('stays opaque when they are removed by disposal %d', async (disposal) => {
    for (const place of [
      { left: 3, top: 2 },
      { left: 10, top: 10 },
    ]) {
      const file = makeGif(outside({ ...place, disposal }));
      expect(await inspect(file)).toMatchObject({ hasAlpha: false, width: 4, height: 3, frames: 3 });
    }
  });

  it('grows with the first one, and free around it', async () => {
    const canvas = { ...size, frames: [{ ...whole, left: 2, top: 1, disposal: 2 }, whole] };
    const { image } = await decodeImage(makeGif(canvas), { format: 'webp' });
    expect(maxDifference(shown(image), stack(drawGif({ ...canvas, width: 6, height: 4 })))).toBe(0);
  });
});

it('finds the free canvas of random animations without transparent colors', () => {
  const random = makeRandom(testSeed);
  for (let round = 0; round < 2_000; round++) {
    const [width, height] = [1 + random(3), 1 + random(3)];
    const frames = Array.from({ length: 1 + random(5) }, () => {
      const { transparent: _, ...frame } = makeFrame(random, { width, height });
      return random(2) ? { ...frame, left: 0, top: 0, width, height, pixels: Array(width * height).fill(0) } : frame;
    });
    const canvas = { width, height, palette: four, frames };
    const isFree = stack(drawGif(canvas)).data.some((value, i) => i % 4 === 3 && value < 255);
    const { frames: found } = listGifFrames(makeGif(canvas), makeWorkBudget());
    expect(hasUncoveredArea(found, { left: 0, top: 0, width, height }), JSON.stringify(canvas)).toBe(isFree);
  }
});

it('decodes random animations as browsers show them', async () => {
  const random = makeRandom(testSeed);
  for (let round = 0; round < 60; round++) {
    const [width, height] = [1 + random(20), 1 + random(20)];
    const frames = Array.from({ length: 1 + random(5) }, () => makeFrame(random, { width, height }));
    const canvas = { width, height, palette: random(2) ? many : four, frames };
    const { image } = await decodeImage(makeGif(canvas), { format: 'webp' });
    const wanted = stack(drawGif(canvas));
    expect(maxDifference(shown(image), wanted), JSON.stringify(canvas)).toBe(0);
    if (frames.length > 1) await expectFlag(makeGif(canvas), wanted);
  }
});

function makeFrame(random: (limit: number) => number, canvas: { width: number; height: number }): GifImage {
  const [left, top] = [random(canvas.width), random(canvas.height)];
  const [width, height] = [1 + random(canvas.width - left), 1 + random(canvas.height - top)];
  const pixels = Array.from({ length: width * height }, () => random(4));
  return {
    ...{
      left,
      top,
      width,
      height,
      pixels,
      disposal: random(4),
      isInterlaced: random(2) === 1,
      isBare: random(5) === 0,
    },
    ...(random(2) && { palette: many }),
    ...(random(3) === 0 && { transparent: random(4) }),
  };
}

/** Viewers draw the free canvas in black without the flag. A file without an extended header has one image, with a flag of its own. */
async function expectFlag(file: Buffer, wanted: Image) {
  const { result } = await processFile(file, { scaleFactor: 1, format: 'webp' });
  const isExtended = result.toString('latin1', 12, 16) === 'VP8X';
  const isTransparent = wanted.data.some((value, i) => i % 4 === 3 && value < 255);
  if (isExtended && isTransparent) expect((result[20] ?? 0) & 0x10).toBe(0x10);
  const { hasAlpha } = await inspect(result);
  expect(hasAlpha || !isTransparent).toBe(true);
}

describe('an animated WebP without an alpha flag', () => {
  it('is transparent where its frames leave the canvas free', async () => {
    const still = await guardedSharp({ create: { width: 2, height: 2, channels: 3, background: '#f00' } })
      .webp({ lossless: true })
      .toBuffer();
    const file = makeAnimatedWebp(still, { width: 6, height: 4, frames: 2 });
    expect(await inspect(file)).toMatchObject({ hasAlpha: true, channels: 4, frames: 2 });
    const { image } = await decodeImage(file, { format: 'webp' });
    const frame = makeImage({ width: 6, height: 4, channels: 4 }, (x, y) =>
      x < 2 && y < 2 ? [255, 0, 0, 255] : [0, 0, 0, 0],
    );
    expect(maxDifference(shown(image), stack([frame, frame]))).toBe(0);
  });
});
