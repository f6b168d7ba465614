import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import type { Recipe } from '@uprez/models/onnx/recipe';
import { compareNetworks } from './compare-networks.ts';
import type { Network } from './network.ts';
import { openNetwork } from './open-network.ts';

/**
 * Least likeness to plain arithmetic, in dB, with which 8-bit arithmetic may serve. A processor without VNNI adds
 * 8-bit products in 16 bits, which overflow: far below this.
 */
const leastDb = 36;

export type QuickOptions = { fp32: Uint8Array; recipe: Recipe | undefined; threads: number };

/**
 * Loads a network in 8-bit arithmetic where it has a recipe, if it gives on this very processor what the plain one
 * gives, else in plain arithmetic; `reason` tells. Throws when the plain network cannot be loaded.
 */
export async function openQuickNetwork({ fp32, recipe, threads }: QuickOptions): Promise<Network> {
  const openPlain = (reason: string) => async (): Promise<Network> => ({
    ...(await openNetwork(fp32, threads)),
    variant: 'fp32',
    reason,
  });
  if (!recipe) return openPlain('the network has no 8-bit recipe')();
  const plain = await openPlain('')();
  const tried = await tryRecipe({ fp32, recipe, threads }, plain);
  if ('refusal' in tried) return { ...plain, reason: tried.refusal };
  await plain.close();
  return { ...tried.network, openPlain: openPlain('asked for') };
}

type Tried = { network: Network } | { refusal: string };

async function tryRecipe({ fp32, recipe, threads }: QuickOptions & { recipe: Recipe }, plain: Network): Promise<Tried> {
  try {
    const quick = await openNetwork(applyRecipe(fp32, recipe), threads);
    const likeness = await compareNetworks(plain, quick);
    const measured = `${likeness.toFixed(1)} dB from plain arithmetic on this processor, ${leastDb} dB are asked for`;
    if (likeness >= leastDb) return { network: { ...quick, variant: 'int8', reason: measured } };
    await quick.close();
    return { refusal: `8-bit arithmetic is ${measured}` };
  } catch (error) {
    return { refusal: `8-bit arithmetic failed: ${error instanceof Error ? error.message : error}` };
  }
}
