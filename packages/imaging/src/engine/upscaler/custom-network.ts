import { readFile } from 'node:fs/promises';
import type { CustomEngine } from '@uprez/contracts/policy/images/engines';
import { customEngineSchema } from '@uprez/contracts/recipe/engine-schemas';
import { customModelLimits } from '@uprez/models/custom/custom-model';
import { sha256 } from '@uprez/models/files/sha256';
import * as z from 'zod';
import { openModel } from '../../model-check/open-model.ts';
import { networkFactor } from '../../pipeline/choose-passes.ts';
import type { Network } from './network.ts';
import { resamplePlane } from './resample-plane.ts';

/** A custom model to load, from `model.json`. */
export const customNetworkSchema = z.object({
  engine: customEngineSchema,
  path: z.string(),
  sha256: z.string(),
  scale: z.int().min(customModelLimits.scale.min).max(customModelLimits.scale.max),
});

export type CustomNetwork = z.infer<typeof customNetworkSchema>;

type ReadModel = CustomNetwork & { bytes: Uint8Array };

/** Reads the files of custom models. Leaves out files that changed since they were added, and reports them on stderr. */
export async function readCustomModels(models: readonly CustomNetwork[]): Promise<ReadModel[]> {
  const read = models.map(async (model) => {
    const bytes = await readFile(model.path).catch(() => undefined);
    if (bytes && sha256(bytes) === model.sha256) return [{ ...model, bytes }];
    console.error(`${model.path} is missing or has changed since it was added`);
    return [];
  });
  return (await Promise.all(read)).flat();
}

/** Opens custom models. Reports models that can't be loaded on stderr. Belongs in a process without privileges. */
export async function openCustomNetworks(models: readonly ReadModel[], threads: number) {
  const networks: Partial<Record<CustomEngine, Network>> = {};
  for (const model of models) {
    try {
      networks[model.engine] = await openCustomNetwork(model, threads);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
  return networks;
}

/**
 * Opens a custom model of any scale as a network that upscales by `networkFactor`. The output of models with a smaller
 * scale is resampled.
 */
async function openCustomNetwork({ bytes, sha256: digest, scale }: ReadModel, threads: number): Promise<Network> {
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
  return { device: 'cpu', variant: 'fp32', reason: 'custom model', sha256: digest, run, close: model.close };
}
