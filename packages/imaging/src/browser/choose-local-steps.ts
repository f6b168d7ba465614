import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { noStrips } from '../pipeline/choose-strips.ts';
import { estimateLocalMemory } from './estimate-local.ts';

/** `inTiles`: whether the device is better at tiles. */
type Local = { inTiles: boolean; memoryBytes: number };

/** Choose strips of the full width, or tiles where these strips don't fit the memory. Bands of columns would need files. */
export function chooseLocalSteps(pipeline: ImagePipeline, { inTiles, memoryBytes }: Local): ImagePipeline {
  const fits = pipeline.bands === pipeline.passes && estimateLocalMemory(pipeline) <= memoryBytes;
  return inTiles || !fits ? { ...pipeline, ...noStrips } : pipeline;
}
