import { readFile } from 'node:fs/promises';
import type { AiDevice, AiEngine } from '@uprez/contracts/policy/engines';
import { locateModel } from '@uprez/models/locate-model';
import { findRecipe } from './upscaler/find-recipe.ts';
import type { Network } from './upscaler/network.ts';
import { openOnDevice } from './upscaler/open-on-device.ts';

export type NetworkOptions = {
  engines: readonly AiEngine[];
  modelsDir: string;
  threads: number;
  devices?: readonly AiDevice[];
};

/**
 * Load the models that are installed, on the first device with correct results, or on the CPU in the fastest variant with
 * correct results. Missing and damaged models are reported on stderr and skipped.
 */
export async function openNetworks({ engines, modelsDir, threads, devices = ['cpu'] }: NetworkOptions) {
  const networks: Partial<Record<AiEngine, Network>> = {};
  for (const engine of engines) {
    try {
      const path = await locateModel(modelsDir, engine);
      const [fp32, recipe] = [await readFile(path), await findRecipe(engine)];
      networks[engine] = await openOnDevice({ fp32, recipe, threads, devices });
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
  return networks;
}
