import { readFile } from 'node:fs/promises';
import { customModelLimits } from '@uprez/models/custom/custom-model';
import { sha256 } from '@uprez/models/files/sha256';
import * as z from 'zod';
import { openModel } from '../../model-check/open-model.ts';
import { networkFactor } from '../../pipeline/choose-passes.ts';
import type { Network } from './network.ts';
import { resamplePlane } from './resample-plane.ts';

export const customNetworkSchema = z.object({
  path: z.string(),
  sha256: z.string(),
  scale: z.int().min(customModelLimits.scale.min).max(customModelLimits.scale.max),
});

/**
 * Opens a custom model of any scale as a network that upscales by `networkFactor`. The output of models with a smaller
 * scale is resampled. Throws Error if the file has changed.
 */
export async function openCustomNetwork(
  { path, sha256: expected, scale }: z.infer<typeof customNetworkSchema>,
  threads: number,
): Promise<Network> {
  const bytes = await readFile(path);
  if (sha256(bytes) !== expected) throw new Error(`${path} has changed since it was added`);
  const model = await openModel(bytes, threads);
  const run: Network['run'] = async (tile, side) => {
    const made = await model.run({ data: tile, width: side, height: side });
    const from = side * scale;
    if (made.width !== from || made.height !== from)
      throw new Error(`the model did not return an output of ${scale} times the size`);
    if (scale === networkFactor) return made.data;
    const to = side * networkFactor;
    const result = new Float32Array(3 * to * to);
    for (let c = 0; c < 3; c++)
      result.set(resamplePlane(made.data.subarray(c * from * from, (c + 1) * from * from), from, to), c * to * to);
    return result;
  };
  return { device: 'cpu', variant: 'fp32', reason: 'custom model', sha256: expected, run, close: model.close };
}
