import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedSharp } from '../../src/decoders.ts';
import { openVipsFile } from '../../src/engine/rows/row-file.ts';
import { classifyContent, measureContent } from '../../src/engine/steps/measure-content.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { encodeAs, toSharp } from '../support/image-files.ts';
import { deepen, type Image, makeImage, makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const size = { width: 160, height: 120 };
const photo = makePhoto(size);
/** Curves and bars on a ground. */
const draw = (ground: string, ink: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">
  <rect width="160" height="120" fill="${ground}"/><g fill="none" stroke="${ink}" stroke-width="3">
  <path d="M5 20 C40 90 90 -30 150 60"/><path d="M10 100 C60 10 100 150 155 20"/><circle cx="80" cy="60" r="30"/></g>
  <g fill="${ink}"><rect x="12" y="70" width="6" height="30"/><rect x="24" y="60" width="6" height="40"/></g></svg>`);
const rasterize = async (svg: Buffer): Promise<Image> => {
  const { data, info } = await guardedSharp(svg).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 3, data };
};

let dir: string;
let network: Network;
let [text, drawing] = [photo, photo];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uprez-content-test-'));
  network = await openStubNetwork();
  text = await rasterize(draw('#fff', '#111'));
  drawing = await rasterize(draw('#f4c20d', '#1a3fb0'));
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
      code: 'text',
      reason:
        'The image looks like text or line art, but no model for drawings is available, so Auto chose photo-fast.',
    });
  });

  it('says that nothing is enlarged, and nothing about a requested engine', async () => {
    expect(await run(text, { engine: 'auto', scaleFactor: 0.5 })).toMatchObject({
      engine: 'standard',
      autoChoice: { code: 'not_enlarged', reason: "The result isn't larger than the image, so Auto chose standard." },
    });
    expect((await run(text, { engine: 'photo-fast', scaleFactor: 2 })).autoChoice).toBe(null);
  });
});
