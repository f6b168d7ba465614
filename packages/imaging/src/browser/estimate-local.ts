import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { LocalFormat } from '@uprez/contracts/policy/images/local-mode';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { countStripPixels, countTilePixels, networkFactor, noStrips, traitsOf } from '../pipeline/choose-passes.ts';
import { usedSize } from '../pipeline/compute-target-size.ts';

const MB = 1024 * 1024;
/** Memory used by the page, the model runtime, and its threads, in bytes. */
const baseBytes = 150 * MB;
/**
 * Memory per column of a strip, in bytes: the kept rows inside and outside WebAssembly, one strip in the model, and its
 * output.
 */
const stripColumnBytes = 80_000;
/** Speed of the steps that don't use a model, in pixels per second on one thread of a laptop. */
const speeds = { decode: 40e6, correct: 8e6, resample: 15e6, encode: { png: 12e6, jpeg: 40e6, webp: 8e6 } };

type SizedPipeline = Pick<
  ImagePipeline,
  'engine' | 'custom' | 'source' | 'crop' | 'passes' | 'tile' | 'tiles' | 'strip' | 'strips' | 'bands' | 'output'
>;

const areaOf = ({ width, height }: { width: number; height: number }) => width * height;

/**
 * Estimates the duration of a run in the browser, in seconds. `pixelsPerSecond`: measured speed of the model on the
 * device, in input pixels.
 */
export function estimateLocalSeconds(pipeline: SizedPipeline, pixelsPerSecond: number): number {
  const { tile, tiles, strip, passes, output } = pipeline;
  const network = (strip ? countStripPixels(pipeline) : tiles * countTilePixels(tile)) / pixelsPerSecond;
  const drawn = areaOf(usedSize(pipeline)) * networkFactor ** (2 * passes);
  const correct = passes === 0 ? 0 : drawn / speeds.correct;
  const encode = areaOf(output) / speeds.encode[output.format as LocalFormat];
  return network + correct + areaOf(pipeline.source) / speeds.decode + areaOf(output) / speeds.resample + encode;
}

/**
 * Estimates the peak memory of a run in the browser, in bytes. Includes the decoded image, the model with one strip or
 * tile, and the result.
 */
export function estimateLocalMemory(pipeline: SizedPipeline): number {
  const { engine, passes, source, output, tile, strip } = pipeline;
  const decoded = 4 * areaOf(source);
  // JPEG and WebP are encoded from a canvas, so the pixels must be copied into one.
  const result = areaOf(output) * (output.format === 'png' ? 4 : 12);
  if (!isAiEngine(engine) || !tile) return baseBytes + decoded + result;
  const { weightBytes, pixelBytes } = traitsOf(engine, pipeline.custom);
  const fixed = baseBytes + decoded + result + weightBytes;
  if (strip) return fixed + strip.width * stripColumnBytes;
  const rows = usedSize(pipeline).width * networkFactor ** passes * (tile.core + 2 * tile.overlap) * networkFactor * 6;
  return fixed + rows + countTilePixels(tile) * pixelBytes;
}

/** `inTiles`: whether the device is faster with tiles. */
type LocalDevice = { inTiles: boolean; memoryBytes: number };

/**
 * Chooses full-width strips. Chooses tiles instead if the device is faster with tiles, if the pipeline has bands of
 * columns (which would need files), or if the strips don't fit into memory.
 */
export function chooseLocalSteps(pipeline: ImagePipeline, { inTiles, memoryBytes }: LocalDevice): ImagePipeline {
  const fits = pipeline.bands === pipeline.passes && estimateLocalMemory(pipeline) <= memoryBytes;
  return inTiles || !fits ? { ...pipeline, ...noStrips } : pipeline;
}
