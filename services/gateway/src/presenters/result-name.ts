import type { ImagePlan } from '@uprez/contracts/image-plan';
import { fileExtensions } from '@uprez/contracts/picture-formats';
import type { Recipe } from '@uprez/contracts/recipe';
import { usedSize } from '@uprez/imaging/plan/target-size';

type NamedJob = { filename: string; recipe: Recipe; plan: ImagePlan };

/** How many times as large a job makes its picture: what was asked for, or what came of another kind of size. */
export function jobFactor({ recipe, plan }: Omit<NamedJob, 'filename'>): number {
  const { output } = plan;
  const used = usedSize(plan);
  const factor = Math.max(output.width / used.width, output.height / used.height);
  return recipe.scaleFactor ?? Math.max(0.01, Math.round(factor * 100) / 100);
}

/** The name a result is saved under: `<base>-<n>x.<ext>`. */
export function resultName(job: NamedJob): string {
  const base = job.filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image';
  return `${base}-${jobFactor(job)}x.${fileExtensions[job.plan.output.format]}`;
}
