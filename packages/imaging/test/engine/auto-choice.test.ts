import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import { classifyContent, measureContent } from '../../src/engine/steps/resolve-auto-engine.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const size = { width: 160, height: 120 };
const photo = makePhoto(size);
type Color = readonly [number, number, number];

/** A circle, a curve, and bars on a ground, 3 pixels wide, with soft edges. */
const draw = (ground: Color, ink: Color) =>
  makeImage(size, (x, y) => {
    const circle = Math.abs(Math.hypot(x - 80, y - 60) - 30);
    const curve = Math.abs(y - 60 - 40 * Math.sin(x / 18)) / Math.hypot(1, 2.2 * Math.cos(x / 18));
    const bars = y > 70 ? Math.abs((x % 16) - 8) : 10;
    const cover = Math.max(0, Math.min(1, 2 - Math.min(circle, curve, bars)));
    return ground.map((value, c) => value + ((ink[c] ?? 0) - value) * cover);
  });
const text = draw([255, 255, 255], [17, 17, 17]);
const drawing = draw([244, 194, 13], [26, 63, 176]);

let dir: string;
let network: Network;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-content-test-'));
  network = await openStubNetwork();
});
afterAll(() => Promise.all([network.close(), rm(dir, { recursive: true })]));

async function kindOf(image: Image, frames = 1) {
  const path = join(dir, 'image.v');
  await toSharp(image).toFile(path);
  const file = await openVipsFile(path);
  try {
    return classifyContent(await measureContent(file, frames));
  } finally {
    await file.close();
  }
}

describe('content', () => {
  it('is told by hard edges between flat areas, in any depth', async () => {
    for (const [image, kind] of [
      [photo, 'photo'],
      [text, 'text'],
      [drawing, 'drawing'],
    ] as const)
      expect([await kindOf(image), await kindOf(deepen(image))], kind).toEqual([kind, kind]);
  });

  it('is a photo for an image without structure, and for noise', async () => {
    expect(await kindOf(makeImage(size, () => [200, 200, 200]))).toBe('photo');
    expect(await kindOf(makeImage(size, (x, y) => Array(3).fill(128 + 60 * Math.sin(x * 12.9 + y * 78.2))))).toBe(
      'photo',
    );
    expect(await kindOf(makeImage({ width: 1, height: 1 }, () => [0, 0, 0]))).toBe('photo');
  });

  it('is that of JPEG files too, and of transparent ones as on white', async () => {
    const compressed = await guardedSharp(await toSharp(text).jpeg({ quality: 75 }).toBuffer());
    expect(await kindOf({ ...text, data: await compressed.raw().toBuffer() })).toBe('text');
    const ink = makeImage({ ...size, channels: 4 }, (x, y) => [0, 0, 0, 255 - (text.data[(y * 160 + x) * 3] ?? 0)]);
    expect(await kindOf(ink)).toBe('text');
  });

  it('is that of the first frame', async () => {
    const frames = { ...photo, height: 240, data: Uint8Array.from([...text.data, ...photo.data]) };
    expect(await kindOf(frames, 2)).toBe('text');
  });

  it('is decided by documented thresholds', () => {
    const facts = { texture: 0.05, hard: 0.32, background: 0.5, chroma: 20 };
    expect(classifyContent(facts)).toBe('text');
    expect(classifyContent({ ...facts, hard: 0.31 })).toBe('photo');
    expect(classifyContent({ ...facts, texture: 0.0009 })).toBe('photo');
    expect(classifyContent({ ...facts, background: 0.49 })).toBe('drawing');
    expect(classifyContent({ ...facts, chroma: 21 })).toBe('drawing');
  });
});

describe('auto', () => {
  const upscale = { engine: 'auto', scaleFactor: 2 } as const;
  const run = async (image: Image, recipe: Parameters<typeof processFile>[1], engines = ['photo-fast', 'art-fast']) => {
    const networks = Object.fromEntries(engines.map((name) => [name, network]));
    const { report } = await processFile(await encodeAs(image, 'png'), recipe, { networks });
    return report;
  };

  it('runs the engine for drawings, and says why', async () => {
    const report = await run(drawing, upscale);
    expect(report).toMatchObject({
      engine: 'art-fast',
      tile: { overlap: 18 },
      autoChoice: { code: 'drawing', reason: 'The image looks like a drawing, so Auto chose art-fast.' },
      retries: [],
    });
    const reasons = await Promise.all([photo, text].map(async (image) => (await run(image, upscale)).autoChoice));
    expect(reasons).toEqual([
      { code: 'photo', reason: 'The image looks like a photo, so Auto chose photo-fast.' },
      { code: 'text', reason: 'The image looks like text or line art, so Auto chose photo-fast.' },
    ]);
  });

  it('runs the engine for photos where the other model is missing, and says so', async () => {
    const { engine, autoChoice } = await run(drawing, upscale, ['photo-fast']);
    expect(engine).toBe('photo-fast');
    expect(autoChoice).toEqual({
      code: 'drawing',
      reason: 'The image looks like a drawing, but no model for drawings is available, so Auto chose photo-fast.',
    });
  });

  it('says that nothing is upscaled, and nothing about a requested engine', async () => {
    expect(await run(text, { engine: 'auto', scaleFactor: 0.5 })).toMatchObject({
      engine: 'standard',
      autoChoice: { code: 'not_upscaled', reason: "The result isn't larger than the image, so Auto chose standard." },
    });
    expect((await run(text, { engine: 'photo-fast', scaleFactor: 2 })).autoChoice).toBe(null);
  });
});
