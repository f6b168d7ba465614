import { makeRandom } from '@uprez/testing/random';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../src/engine/stages.ts';
import { searchQuality } from '../../src/engine/steps/search-quality.ts';
import { encodeAs } from '../support/image-files.ts';
import { makeImage, makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';

const photo = makePhoto({ width: 300, height: 200 });
const random = makeRandom(1);
const noise = makeImage({ width: 120, height: 90 }, () => [random(256), random(256), random(256)]);

describe('a target file size', () => {
  it.each([
    ['jpeg', 12_000],
    ['webp', 24_000],
    ['avif', 6_000],
    ['jxl', 12_000],
  ] as const)('writes %s of at most %d bytes and close to it', async (format, targetBytes) => {
    const { result, report } = await processFile(await encodeAs(photo, 'png'), { format, targetBytes });
    expect(result.length).toBeLessThanOrEqual(targetBytes);
    expect(result.length).toBeGreaterThan(targetBytes * 0.8);
    expect(report.sizeBytes).toBe(result.length);
    expect(report.quality).toBeLessThan(95);
  });

  it('writes few colors without loss as jxl when that is enough', async () => {
    const flat = makeImage({ width: 60, height: 40 }, (x) => [x < 30 ? 220 : 20, 30, 30]);
    const recipe = { format: 'jxl', quality: 80, scaleFactor: 1, targetBytes: 10_000 } as const;
    expect((await processFile(await encodeAs(flat, 'png'), recipe)).report.quality).toBe(100);
  });

  it('keeps the quality when the file is small enough', async () => {
    const { report } = await processFile(await encodeAs(photo, 'png'), { format: 'jpeg', targetBytes: 10_000_000 });
    expect(report.quality).toBe(95);
  });

  it.each(['png', 'tiff'] as const)('compresses %s more strongly when that is enough', async (format) => {
    const file = await encodeAs(makePhoto({ width: 200, height: 150 }), 'png');
    const { report } = await processFile(file, { format });
    const targetBytes = report.sizeBytes - 200;
    expect((await processFile(file, { format, targetBytes })).result.length).toBeLessThanOrEqual(targetBytes);
  });

  it.each([
    ['jxl', 'nearest', 1],
    ['gif', 'nearest', 1],
    ['webp', 'nearest', 2],
    ['png', 'standard', 1],
    ['tiff', 'standard', 2],
  ] as const)('encodes %s of few colors again only if that may be smaller', async (format, engine, attempts) => {
    const few = makeImage({ width: 64, height: 64 }, (x, y) => [(x * y) % 5, 0, 0]);
    const told: number[] = [];
    const onProgress = ({ stage, done }: Progress) => {
      if (stage === 'encode') told.push(done);
    };
    const recipe = { engine, format, targetBytes: 20, scaleFactor: 1 } as const;
    const failure = processFile(await encodeAs(few, 'png'), recipe, { onProgress });
    await expect(failure).rejects.toMatchObject({ code: 'target_bytes_unreachable' });
    expect(new Set(told).size).toBe(attempts + 1);
  });

  it.each(['jpeg', 'png', 'gif'] as const)(
    '%s that cannot be so small is refused with what it takes',
    async (format) => {
      const failure = processFile(await encodeAs(noise, 'png'), { format, targetBytes: 1_024, scaleFactor: 3 });
      await expect(failure).rejects.toMatchObject({
        code: 'target_bytes_unreachable',
        message: expect.stringMatching(
          /^The result has [\d,]+ bytes (at|as) .*\. The maximum you set is 1,024 bytes\.$/,
        ),
        meta: { limit: 1_024, value: expect.any(Number) },
      });
    },
  );
});

describe('searchQuality', () => {
  const sizeAt = (quality: number) => Math.round(1_000 * 40 ** (quality / 100));
  const search = async (target: number, best = 95, size = sizeAt) => {
    const tried: number[] = [];
    const found = await searchQuality(async (quality) => size(tried.push(quality) && quality), best, target);
    return { ...found, tried };
  };

  it('finds the best quality in at most seven attempts for any target', async () => {
    for (let target = 1_050; target < 45_000; target += 487) {
      const { quality, sizeBytes, tried } = await search(target);
      expect(sizeBytes).toBeLessThanOrEqual(target);
      expect(tried.length).toBeLessThanOrEqual(7);
      const isBest = quality === 95 || sizeAt(quality + 1) > target;
      expect(isBest || sizeBytes >= 0.9 * target).toBe(true);
    }
  });

  it('handles sizes that are not continuous', async () => {
    const jumping = (quality: number) => (quality >= 90 ? 30_000 : quality >= 40 ? 9_000 : 2_000) + quality;
    for (const target of [2_050, 8_000, 9_060, 20_000, 29_000]) {
      const { sizeBytes, tried } = await search(target, 100, jumping);
      expect(sizeBytes).toBeLessThanOrEqual(target);
      expect(tried.length).toBeLessThanOrEqual(7);
    }
  });

  it('returns the smallest file when none fits', async () => {
    expect(await search(900)).toMatchObject({ quality: 1, sizeBytes: sizeAt(1) });
    expect(await search(900, 1)).toMatchObject({ quality: 1, tried: [1] });
  });
});
