import { describe, expect, it } from 'vitest';
import { makeLocalPipeline } from './local-pipeline.ts';

const device = {
  isSecure: true,
  runsModels: true,
  memoryBytes: 4 * 1024 ** 3,
  canvas: { pixels: 268_000_000, side: 32_767 },
};
const source = new File(['image'], 'image.jpg', { type: 'image/jpeg' });
const settings = { engine: 'standard', scaleFactor: 2, format: 'jpeg', quality: 95 } as const;
const pipelineFor = (size: { width: number; height: number }, changed: Partial<typeof device> = {}) =>
  makeLocalPipeline({ size, source, settings, device: { ...device, ...changed } as never, backend: undefined });

describe('planRun', () => {
  it('tells limits of images, which servers have too, from those of the device', () => {
    expect(pipelineFor({ width: 400, height: 300 }).limit).toBeUndefined();
    expect(pipelineFor({ width: 12_000, height: 10_000 })).toMatchObject({
      limit: expect.stringContaining('Resize it to at most 10,954 x 9,128 pixels first.'),
      isGeneral: true,
    });
    expect(pipelineFor({ width: 4_000, height: 3_000 }, { memoryBytes: 1_000_000 })).toMatchObject({
      isGeneral: false,
    });
  });
});
