import { readFile } from 'node:fs/promises';
import type { AiEngine } from '@uprez/contracts/engines';
import { locateModel } from '@uprez/models/locate-model';
import { findRecipe } from './upscaler/find-recipe.ts';
import type { Network } from './upscaler/network.ts';
import { openQuickNetwork } from './upscaler/open-quick-network.ts';

export type NetworkOptions = { engines: readonly AiEngine[]; modelsDir: string; threads: number };

/**
 * Load the networks whose models are on this machine, in the quickest arithmetic that is right on it; one that is
 * missing or damaged is named on stderr and left out.
 */
export async function openNetworks({ engines, modelsDir, threads }: NetworkOptions) {
  const networks: Partial<Record<AiEngine, Network>> = {};
  for (const engine of engines) {
    try {
      const { path } = await locateModel(modelsDir, engine);
      const [fp32, recipe] = [await readFile(path), await findRecipe(engine)];
      networks[engine] = await openQuickNetwork({ fp32, recipe, threads });
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
  return networks;
}
