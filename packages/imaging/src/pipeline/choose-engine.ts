import {
  alreadyLargePixels,
  drawingEngineByPhotoEngine,
  type JobEngine,
  type RequestedEngine,
} from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { JobLimits } from './job-limits.ts';

type ScaledImage = { width: number; height: number; factor: number };

function findSizeCode({ width, height, factor }: ScaledImage) {
  if (factor <= 1) return 'not_upscaled';
  return width * height >= alreadyLargePixels ? 'already_large' : undefined;
}

/**
 * Resolves `auto` to the operator's engine (`AI_ENGINE`) for upscaling, or to `standard` if the image isn't upscaled or is already
 * large. For drawings, the engine may be changed when the image is decoded.
 */
export function chooseEngine(
  asked: RequestedEngine,
  scaling: ScaledImage,
  limits: Pick<JobLimits, 'autoEngine'>,
): JobEngine {
  if (asked !== 'auto') return asked;
  return findSizeCode(scaling) ? 'standard' : limits.autoEngine;
}

/**
 * Returns how `auto` chooses the engine: by size, or by content when the image is decoded. Returns undefined if an
 * engine was requested.
 */
export function chooseAutoRule(asked: RequestedEngine, scaling: ScaledImage, limits: JobLimits): ImagePipeline['auto'] {
  if (asked !== 'auto') return undefined;
  const code = findSizeCode(scaling);
  if (code) return { code, drawings: null };
  const { autoEngine, enginesAvailable, pausedEngines = [] } = limits;
  const drawings = drawingEngineByPhotoEngine[autoEngine] ?? null;
  const isUsable = drawings && (enginesAvailable?.includes(drawings) ?? true) && !pausedEngines.includes(drawings);
  return { code: 'content', drawings: isUsable ? drawings : null };
}
