import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Engine } from '@uprez/contracts/schemas/engine-list';
import { makeSiteEngines } from '../../lib/api/site-engines.ts';
import { formatEstimate, formatSize } from '../../lib/format/format.ts';
import { previewPlan } from '../../lib/images/preview-plan.ts';
import { FactRows } from './fact-rows.tsx';

/** Factor of the table. */
export const tableFactor = 4;
const recipe = { ...recipeDefaults, scaleFactor: tableFactor, format: 'jpeg' } as const;
const sizes = [
  { width: 320, height: 240 },
  { width: 640, height: 480 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
] as const;

/** Estimated times of common sizes, from the planner that is used for jobs. */
export function EstimateTable({ engines }: { engines: readonly Engine[] }) {
  const rows = sizes.flatMap((size) => {
    const known = { size, mediaType: mimeTypes.jpeg, tier: 'free' } as const;
    const outcome = previewPlan({ ...known, recipe, engines: makeSiteEngines(engines) });
    if (!outcome.ok) return [];
    const { output, estimate } = outcome.plan;
    return [[`${formatSize(size)} -> ${formatSize(output)}`, formatEstimate(estimate.seconds)] as const];
  });
  return <FactRows rows={rows} />;
}
