import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspect } from '../../src/inspect/inspect.ts';
import { decodeImage } from '../support/decode-image.ts';
import { makePhoto, psnr } from '../support/images.ts';

const photo = makePhoto({ width: 64, height: 48 });
const sequence = (name: string) => readFileSync(new URL(`../fixtures/avif/${name}.avif`, import.meta.url));

describe.each(['avifenc', 'ffmpeg'])('an AVIF sequence of %s', (name) => {
  it('is read as its first frame', async () => {
    const file = sequence(name);
    expect(await inspect(file)).toMatchObject({ format: 'avif', width: 64, height: 48, frames: 1 });
    const { image } = await decodeImage(file);
    const color = image.channels === 4 ? dropAlpha(image) : image;
    expect(psnr(color, photo)).toBeGreaterThan(30);
  });

  it('is read without its animation, however many frames that declares', async () => {
    const file = Buffer.from(sequence(name));
    for (const table of ['stsz', 'stts']) {
      const at = file.indexOf(table);
      expect(at).toBeGreaterThan(0);
      file.writeUInt32BE(2 ** 32 - 1, at + (table === 'stsz' ? 12 : 8));
    }
    expect((await decodeImage(file)).image).toEqual((await decodeImage(sequence(name))).image);
  });
});

const dropAlpha = (image: Awaited<ReturnType<typeof decodeImage>>['image']) => ({
  ...image,
  channels: 3 as const,
  data: image.data.filter((_, i) => i % 4 !== 3),
});
