import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { tileCacheBytes } from '../../plan/estimate.ts';
import { noStrips } from '../../plan/plan-strips.ts';
import type { RowFile } from '../rows/row-file.ts';
import type { EngineJob } from '../stages.ts';
import { prefersStrips } from '../strips/prefers-strips.ts';
import type { Network } from './network.ts';
import { cacheTiles, limitMemory } from './network-wrappers.ts';
import { skipFlatTiles } from './skip-flat-tiles.ts';
import { upscale } from './upscale.ts';
import type { Upscale } from './upscale-color.ts';

const findNetwork = ({ plan: { engine }, networks }: EngineJob): Network | undefined =>
  isAiEngine(engine) ? networks[engine] : undefined;

/** Choose strips or tiles for decoded pixels. Returns the plan without the other. */
export async function chooseStrips(job: EngineJob, source: RowFile): Promise<ImagePlan> {
  const usesStrips = findNetwork(job)?.strips && (await prefersStrips(source, job.plan));
  return usesStrips ? { ...job.plan, tile: null, tiles: 0 } : useTiles(job.plan);
}

/** The same plan without strips. */
export const useTiles = (plan: ImagePlan): ImagePlan => ({ ...plan, ...noStrips });

/** Unload the strip models of a job, which are loaded again when needed. */
export const freeStrips = (job: EngineJob): void => findNetwork(job)?.strips?.free();

/** Images with fewer tiles finish before early progress would help. */
const fewTiles = 4;

/**
 * `onStep`: called for each tile with the milliseconds of the network, and for each strip. `onPart`: after a share of a tile.
 * `onMs`: with the other milliseconds of the network.
 */
type StepEvents = { onStep: (ms: number) => void; onPart: (share: number) => void; onMs: (ms: number) => void };

/** Prepare the network of a plan for this job. Returns undefined for `standard`. Throws AppError `engine_unavailable`. */
export function prepareNetwork(job: EngineJob, { onStep, onPart, onMs }: StepEvents): Upscale | undefined {
  const { plan, signal, memoryBytes } = job;
  const { engine, tile, tiles, strip, source, bands, passes } = plan;
  if (!isAiEngine(engine)) return undefined;
  const loaded = findNetwork(job);
  if (!loaded) throw new AppError('engine_unavailable');
  const { strips } = loaded;
  if (strip && strips) {
    const events = { onRun: onMs, onStrip: () => onStep(0) };
    return (source) => strips.upscale(source, { strip, inBands: bands > passes, signal, dir: job.dir, ...events });
  }
  if (!tile) return undefined;
  const bounded = limitMemory(loaded, {
    ...{ maxBytes: memoryBytes, overlap: tile.overlap, startsSmall: tiles > fewTiles, onPart },
  });
  const network = skipFlatTiles(source.frames > 1 ? cacheTiles(bounded, tileCacheBytes) : bounded);
  return (source) => upscale(source, { network, tile, signal, onTile: onStep });
}
