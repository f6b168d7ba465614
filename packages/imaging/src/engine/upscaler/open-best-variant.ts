import { applyRecipe } from '@uprez/models/onnx/apply-recipe';
import type { Recipe } from '@uprez/models/onnx/recipe';
import { compareNetworks } from './compare-networks.ts';
import type { Network } from './network.ts';
import { openNetwork } from './open-network.ts';

/** Minimum PSNR of INT8 to FP32, dB. CPUs without VNNI are far below, because sums overflow 16 bits. */
const minPsnrDb = 36;

export type VariantOptions = { fp32: Uint8Array; recipe: Recipe | undefined; threads: number };

/** Load a model in INT8 if its results match FP32 on this CPU, else in FP32. `reason` explains the choice. */
export async function openBestVariant({ fp32, recipe, threads }: VariantOptions): Promise<Network> {
  const openFp32 = (reason: string) => async (): Promise<Network> => ({
    ...(await openNetwork(fp32, threads)),
    variant: 'fp32',
    reason,
  });
  if (!recipe) return openFp32('no INT8 recipe')();
  const fp32Network = await openFp32('')();
  const tried = await tryInt8({ fp32, recipe, threads }, fp32Network);
  if ('failure' in tried) return { ...fp32Network, reason: tried.failure };
  await fp32Network.close();
  return { ...tried.network, openFp32: openFp32('requested') };
}

async function tryInt8(
  { fp32, recipe, threads }: VariantOptions & { recipe: Recipe },
  reference: Network,
): Promise<{ network: Network } | { failure: string }> {
  try {
    const int8 = await openNetwork(applyRecipe(fp32, recipe), threads);
    const psnr = await compareNetworks(reference, int8);
    const reason = `INT8 has a PSNR of ${psnr.toFixed(1)} dB to FP32 on this CPU, minimum ${minPsnrDb} dB`;
    if (psnr >= minPsnrDb) return { network: { ...int8, variant: 'int8', reason } };
    await int8.close();
    return { failure: reason };
  } catch (error) {
    return { failure: `INT8 failed: ${error instanceof Error ? error.message : error}` };
  }
}
