import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { noStrips } from '../plan/plan-strips.ts';
import { estimateLocalMemory } from './estimate-local.ts';

/** `inTiles`: whether the device is better at tiles. */
type Local = { inTiles: boolean; memoryBytes: number };

/** Choose strips of the full width, or tiles where these strips don't fit the memory. Bands of columns would need files. */
export function chooseLocalSteps(plan: ImagePlan, { inTiles, memoryBytes }: Local): ImagePlan {
  const fits = plan.bands === plan.passes && estimateLocalMemory(plan) <= memoryBytes;
  return inTiles || !fits ? { ...plan, ...noStrips } : plan;
}
