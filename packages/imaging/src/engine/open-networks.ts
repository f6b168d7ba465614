import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AiDevice, AiEngine } from '@uprez/contracts/policy/engines';
import { locateModel } from '@uprez/models/locate-model';
import { type Recipe, recipeSchema } from '@uprez/models/onnx/recipe';
import type { Network } from './upscaler/network.ts';
import { openOnDevice } from './upscaler/open-on-device.ts';

export type NetworkOptions = {
  engines: readonly AiEngine[];
  modelsDir: string;
  threads: number;
  devices?: readonly AiDevice[];
};

/** Load the installed models on the best device with correct results. Other models are reported on stderr. */
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

/** Load the INT8 recipe of an engine. Returns undefined when it has none. Throws when the file is damaged. */
export async function findRecipe(engine: string): Promise<Recipe | undefined> {
  const path = fileURLToPath(new URL(`../../recipes/${engine}.int8.json`, import.meta.url));
  try {
    return recipeSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
