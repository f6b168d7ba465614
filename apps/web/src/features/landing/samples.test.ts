import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { samples } from './samples.ts';

const assets = fileURLToPath(new URL('../../assets', import.meta.url));
const thirdParties = () => readFile(fileURLToPath(new URL('../../../../../THIRD_PARTY.md', import.meta.url)), 'utf8');
const maxBytes = 120_000;

test.each(samples)('the sample $id has its listed size, is small, and is upscaled by 4', async (sample) => {
  for (const [url, told] of [
    [sample.before, sample.originalSize],
    [sample.after, sample.processedSize],
  ] as const) {
    const name = path.basename(url);
    const bytes = await readFile(path.join(assets, name));
    const { width, height } = await sharp(bytes).metadata();
    expect({ width, height, fileSize: bytes.length }).toEqual(told);
    expect(bytes.length).toBeLessThan(maxBytes);
    expect(await thirdParties()).toContain(`\`${name}\``);
  }
  expect(sample.processedSize.width).toBe(4 * sample.originalSize.width);
});
