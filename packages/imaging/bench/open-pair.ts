import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type AiEngine, aiEngines } from '@uprez/contracts/policy/images/engines';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { listModels, locateModel } from '@uprez/models/locate-model';
import { findRecipe, openBestVariant } from '../src/engine/open-networks.ts';
import { type Network, openNetwork } from '../src/engine/upscaler/network.ts';

/** An engine in FP32 and as served on this machine. */
export type Pair = { plain: Network; served: Network };

const threads = Math.min(2, availableParallelism());

/** Opens both, calls `use`, and closes them. */
export async function withPair<T>(engine: AiEngine, use: (pair: Pair) => Promise<T>): Promise<T> {
  const fp32 = await readFile(await locateModel(modelsDirOfEnvironment(), engine));
  const plain = await openNetwork(fp32, threads);
  const served = await openBestVariant({ fp32, recipe: await findRecipe(engine), threads });
  try {
    return await use({ plain, served });
  } finally {
    await plain.close();
    await served.close();
  }
}

/** Returns the engines with a recipe whose models are on this machine. */
export async function listQuickEngines(): Promise<AiEngine[]> {
  const here = listModels(modelsDirOfEnvironment());
  const quick: AiEngine[] = [];
  for (const engine of aiEngines) if (here.includes(engine) && (await findRecipe(engine))) quick.push(engine);
  return quick;
}
