import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resample } from '../../src/engine/rows/resample.ts';
import { matchColor } from '../../src/engine/upscaler/match-color.ts';
import type { Network } from '../../src/engine/upscaler/network.ts';
import { upscale } from '../../src/engine/upscaler/upscale.ts';
import { upscaleColor } from '../../src/engine/upscaler/upscale-color.ts';
import { readAll, streamOf } from '../support/image-streams.ts';
import { deepen, makePhoto, psnr } from '../support/images.ts';
import { openStubNetwork } from '../support/stub-network.ts';
import { worstBlock } from '../support/worst-block.ts';

let dim: Network;
beforeAll(async () => {
  dim = await openStubNetwork({ gain: 0.93 });
});
afterAll(() => dim.close());

const tile = { core: 104, overlap: 8, fade: 2 };
const draw = (stream: ReturnType<typeof streamOf>) =>
  upscale(stream, { network: dim, tile, signal: new AbortController().signal, onTile: () => {} });
const photo = makePhoto({ width: 96, height: 80 });

describe('upscaleColor', () => {
  it.each([1, 2, 3, 4, 2.5])('returns the size and the light of the source at a factor of %s', async (factor) => {
    const output = { width: 96 * factor, height: 80 * factor };
    const large = await readAll(upscaleColor(() => streamOf(photo), { passes: 1, output, upscale: draw }));
    expect(large).toMatchObject(output);
    if (Number.isInteger(factor)) expect(worstBlock(photo, large)).toBeLessThanOrEqual(1);
  });

  it.each([photo, deepen(photo)])(
    'hardly differs from colors that are matched before the size is reduced',
    async (image) => {
      const output = { width: 192, height: 160 };
      const reduced = await readAll(upscaleColor(() => streamOf(image), { passes: 1, output, upscale: draw }));
      const matched = await readAll(resample(matchColor(streamOf(image), draw), output));
      expect(psnr(reduced, matched)).toBeGreaterThan(45);
    },
  );
});
