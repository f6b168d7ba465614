import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { decodeFile, encodeAs } from '../support/image-files.ts';
import { makeImage, makePhoto, maxDifference, pickChannel, psnr } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';

const photo = makePhoto({ width: 60, height: 40 });

it('is off by default, and the same for the same image and amount', async () => {
  const file = await encodeAs(photo, 'png');
  const plain = await processFile(file);
  expect(plain.report.grain).toBe(null);
  const [one, same] = [await processFile(file, { grain: 50 }), await processFile(file, { grain: 50 })];
  const seed = Number.parseInt(createHash('sha256').update(file).digest('hex').slice(0, 8), 16);
  expect(one.report.grain).toEqual({ amount: 50, seed });
  expect(same.report.sha256).toBe(one.report.sha256);
  const [before, after] = [await decodeFile(plain.result), await decodeFile(one.result)];
  expect(psnr(before, after)).toBeGreaterThan(26);
  expect(psnr(before, after)).toBeLessThan(40);
  expect(one.report.fidelity?.score).toBeLessThan(plain.report.fidelity?.score ?? 0);
});

it('leaves transparency unchanged', async () => {
  const flat = makeImage({ width: 40, height: 30, channels: 4 }, (x) => [128, 128, 128, x < 20 ? 255 : 0]);
  const { result } = await processFile(await encodeAs(flat, 'png'), { grain: 100, format: 'png' });
  const decoded = await decodeFile(result);
  const { result: plain } = await processFile(await encodeAs(flat, 'png'), { format: 'png' });
  expect(maxDifference(pickChannel(decoded, 3), pickChannel(await decodeFile(plain), 3))).toBe(0);
});

it('is not added to a result that is not larger, and the receipt says so', async () => {
  const file = await encodeAs(photo, 'png');
  const { report, result } = await processFile(file, { grain: 50, scaleFactor: 1 });
  expect(report.grain).toBe(null);
  expect(report.notes).toContain("Film grain wasn't added because the result isn't larger than the image.");
  expect(maxDifference(await decodeFile(result), photo)).toBe(0);
});
