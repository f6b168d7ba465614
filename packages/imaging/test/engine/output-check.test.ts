import { AppError } from '@uprez/contracts/errors/app-error';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { decodeFile, encodeAs } from '../support/image-files.ts';
import { makePhoto, psnr } from '../support/images.ts';
import { plainBicubic } from '../support/plain-bicubic.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const photo = makePhoto({ width: 40, height: 30 });
let good: Network;
let black: Network;
beforeAll(async () => {
  good = await openStubNetwork();
  black = await openStubNetwork({ gain: 0 });
});
afterAll(() => Promise.all([good, black].map((network) => network.close())));

const recipe = { engine: 'photo-fast', scaleFactor: 4 } as const;
const isRight = async (result: Buffer) =>
  psnr(await decodeFile(result), plainBicubic(photo, { width: 160, height: 120 })) > 24;

it('retries a failed network in FP32', async () => {
  let closed = 0;
  const openFp32 = async () => ({
    ...good,
    variant: 'fp32' as const,
    reason: 'requested',
    close: async () => void closed++,
  });
  const networks = { 'photo-fast': { ...black, variant: 'int8' as const, reason: 'fast', openFp32 } };
  const { result, report } = await processFile(await encodeAs(photo, 'png'), recipe, { networks });
  expect(await isRight(result)).toBe(true);
  expect(report).toMatchObject({ engine: 'photo-fast', variant: 'fp32', variantReason: 'requested' });
  expect(report.retries).toEqual([
    { engine: 'photo-fast', variant: 'int8', reason: expect.stringMatching(/^did not match the original: /) },
  ]);
  expect(closed).toBe(1);
});

it('tries the other networks, fastest first, and names the last one in the receipt', async () => {
  const networks = { 'photo-fast': black, photo: black, 'art-fast': black, art: good };
  const { result, report } = await processFile(await encodeAs(photo, 'png'), recipe, { networks });
  expect(await isRight(result)).toBe(true);
  expect(report).toMatchObject({ engine: 'art', tile: { overlap: 24 }, variant: null });
  expect(report.retries.map(({ engine }) => engine)).toEqual(['photo-fast', 'art-fast']);
  expect(report.model).toMatch(/^[0-9a-f]{64}$/);
});

it('throws and writes no result when no network passes', async () => {
  const failure = processFile(await encodeAs(photo, 'png'), recipe, { networks: { 'photo-fast': black, art: black } });
  const error = await failure.catch((reason) => reason);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'output_check_failed' });
});
