import { alreadyLargePixels, drawingEngines } from '@uprez/contracts/policy/images/auto-choice';
import type { EngineName, RequestedEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { JobLimits } from './job-limits.ts';

/** Size of the image and scale factor. */
type Scaling = { width: number; height: number; factor: number };

function findSizeCode({ width, height, factor }: Scaling) {
  if (factor <= 1) return 'not_upscaled';
  return width * height >= alreadyLargePixels ? 'already_large' : undefined;
}

/** `auto` is the operator's engine for upscaling, else `standard`. The engine may change it for drawings. */
export function chooseEngine(
  asked: RequestedEngine,
  scaling: Scaling,
  limits: Pick<JobLimits, 'autoEngine'>,
): EngineName {
  if (asked !== 'auto') return asked;
  return findSizeCode(scaling) ? 'standard' : limits.autoEngine;
}

/** How `auto` chooses: by size, or by content when the image is decoded. Undefined for a requested engine. */
export function chooseAuto(asked: RequestedEngine, scaling: Scaling, limits: JobLimits): ImagePipeline['auto'] {
  if (asked !== 'auto') return undefined;
  const code = findSizeCode(scaling);
  if (code) return { code, drawings: null };
  const { autoEngine, enginesAvailable, pausedEngines = [] } = limits;
  const drawings = drawingEngines[autoEngine] ?? null;
  const isUsable = drawings && (enginesAvailable?.includes(drawings) ?? true) && !pausedEngines.includes(drawings);
  return { code: 'content', drawings: isUsable ? drawings : null };
}
