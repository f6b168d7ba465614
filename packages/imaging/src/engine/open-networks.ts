import type { AiEngine } from '@uprez/contracts/engines';
import { locateModel } from '@uprez/models/locate-model';
import type { Network } from './upscaler/network.ts';
import { openNetwork } from './upscaler/open-network.ts';

export type NetworkOptions = { engines: readonly AiEngine[]; modelsDir: string; threads: number };

/** Load the networks whose models are on this machine; one that is missing or damaged is named on stderr and left out. */
export async function openNetworks({ engines, modelsDir, threads }: NetworkOptions) {
  const networks: Partial<Record<AiEngine, Network>> = {};
  for (const engine of engines) {
    try {
      const model = await locateModel(modelsDir, engine);
      networks[engine] = await openNetwork(model.path, threads);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }
  return networks;
}
