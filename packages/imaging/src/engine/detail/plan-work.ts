import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { choosePasses, networkFactor, noStrips } from '../../pipeline/choose-passes.ts';
import { computeFactor, usedSize } from '../../pipeline/compute-target-size.ts';
import { crispFactor, largestWorkingFactor } from '../../pipeline/working-size.ts';
import { type DetailMap, workingFactor } from './measure-detail.ts';
import { countWork, type Part, planParts } from './plan-parts.ts';

/** `pipeline`: the job's pipeline with the tiles or strips of the part. */
export type PlannedPart = { part: Part; pipeline: ImagePipeline };

/** Plans the parts of an image and their tiles or strips. Returns no parts if the image is processed as a whole. */
export function planWork(pipeline: ImagePipeline, detail: DetailMap): PlannedPart[] {
  const { engine, custom, output } = pipeline;
  if (!isAiEngine(engine)) return [];
  const source = usedSize(pipeline);
  const target = computeFactor(source, output);
  const isCrisp = output.detail === 'crisp';
  const factors = Array.from(detail.scales, (scale) =>
    Math.min(workingFactor(scale, target), isCrisp ? crispFactor(scale, target) : 1),
  );
  const largest = largestWorkingFactor(pipeline);
  const parts = planParts({ blocks: { ...detail, factors }, largest, source, output });
  if (parts.every(({ factor }) => factor === 1)) return [];
  return parts.map((part) => {
    const passes = choosePasses({ ...output, engine, custom, used: part.area, factor: networkFactor });
    const { strip, strips, bands, ...tiles } = passes;
    const inStrips = pipeline.strip && strip ? { strip, strips, bands, tile: null, tiles: 0 } : noStrips;
    return { part, pipeline: { ...pipeline, ...tiles, ...inStrips } };
  });
}

/** Returns the pipeline with the tiles and strips of all parts. */
export function addParts(pipeline: ImagePipeline, parts: PlannedPart[]): ImagePipeline {
  const sum = (count: (part: ImagePipeline) => number) =>
    parts.reduce((total, part) => total + count(part.pipeline), 0);
  return {
    ...{ ...pipeline, ...parts[0]?.pipeline },
    ...{ tiles: sum(({ tiles }) => tiles), strips: sum(({ strips }) => strips), bands: sum(({ bands }) => bands) },
  };
}

/** Returns the work of the network as a share of the work for the whole image at the largest working factor. */
export function measureShare(pipeline: ImagePipeline, parts: PlannedPart[]): number {
  const { width, height } = usedSize(pipeline);
  const most = width * height * largestWorkingFactor(pipeline) ** 2;
  return parts.length > 0 ? countWork(parts.map(({ part }) => part)) / most : 1;
}
