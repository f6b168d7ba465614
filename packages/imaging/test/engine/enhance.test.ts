import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { decodeFile, encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

let network: Network;
beforeAll(async () => {
  network = await openStubNetwork({ gain: 0.93 });
});
afterAll(() => network.close());

const photo = makePhoto({ width: 240, height: 160 });
const enhance = (file: Buffer) =>
  processFile(file, { engine: 'photo-fast', scaleFactor: 1, format: 'png' }, { networks: { 'photo-fast': network } });

it('processes an image at its own size at about two thirds of it, and keeps its shading', async () => {
  const { result, report } = await enhance(await encodeAs(photo, 'png'));
  expect(report).toMatchObject({ width: 240, height: 160, retries: [], notes: [] });
  expect(report.workingScale).toBeCloseTo(0.67);
  const enhanced = await decodeFile(result);
  for (const channel of [0, 1, 2]) expect(meanOf(enhanced.data, channel)).toBeCloseTo(meanOf(photo.data, channel), 0);
});

it('keeps alpha, and no color of invisible pixels reaches visible ones', async () => {
  const data = new Uint8Array(240 * 160 * 4);
  for (let i = 0; i < data.length; i += 4) data.set((i / 4) % 240 < 120 ? [90, 120, 150, 255] : [255, 0, 0, 0], i);
  const { result } = await enhance(await encodeAs({ width: 240, height: 160, channels: 4, data }, 'png'));
  const enhanced = await decodeFile(result);
  for (let i = 0; i < data.length; i += 4) {
    expect(enhanced.data[i + 3]).toBe(data[i + 3]);
    if (data[i + 3] === 0) continue;
    for (const c of [0, 1, 2])
      expect(Math.abs((enhanced.data[i + c] as number) - (data[i + c] as number))).toBeLessThanOrEqual(1);
  }
});

function meanOf(data: ArrayLike<number>, channel: number): number {
  let sum = 0;
  for (let i = channel; i < data.length; i += 3) sum += data[i] as number;
  return sum / (data.length / 3);
}
