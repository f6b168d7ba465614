import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { encodeAs } from '../support/image-files.ts';
import { makePhoto } from '../support/images.ts';
import { processFile } from '../support/run-job.ts';
import { openStubNetwork } from '../support/stub-network.ts';

const file = await encodeAs(makePhoto({ width: 240, height: 160 }), 'png');
const note = "Crisp wasn't used because it only applies to still images that are upscaled with AI by less than 4x.";

let network: Network;
beforeAll(async () => {
  network = await openStubNetwork();
});
afterAll(() => network.close());

it.each([1.5, 2, 2.5])(
  'processes a sharp photo at about two thirds of its size, for a factor of %d',
  async (factor) => {
    const run = (detail: 'faithful' | 'crisp') =>
      processFile(file, { engine: 'photo-fast', scaleFactor: factor, detail }, { networks: { 'photo-fast': network } });
    const [faithful, crisp] = [await run('faithful'), await run('crisp')];
    expect(faithful.report).toMatchObject({ detail: 'faithful', workingScale: 1 });
    expect(crisp.report).toMatchObject({ detail: 'crisp', retries: [], notes: [] });
    expect(crisp.report.workingScale).toBeGreaterThanOrEqual(0.62);
    for (const { scale } of crisp.report.workingShares ?? []) expect(scale).toBeLessThanOrEqual(0.67);
    expect(crisp.report.sha256).not.toBe(faithful.report.sha256);
  },
);

it('is ignored with a note where auto uses the standard engine', async () => {
  const { report } = await processFile(file, { engine: 'auto', detail: 'crisp', scaleFactor: 1 });
  expect(report).toMatchObject({ engine: 'standard', detail: null, notes: [note] });
});
