import { formatNames, formatTraits } from '@uprez/contracts/policy/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import { type Actor, isSandbox } from '../../actor.ts';
import { makeSmall } from './make-small.ts';
import { type Operator, planJob } from './plan-job.ts';

export type PlanRequest = {
  actor: Actor;
  recipe: Recipe;
  inspection: Inspection;
  operator: Operator;
  /** No format was set: transparent images become PNG. */
  keepsAlpha?: boolean | undefined;
};
/** The final recipe, and notes for the caller about changes. */
export type PlannedRequest = { recipe: Recipe; plan: ImagePlan; notes: string[] };

/** Plan a job with the adjustments for transparency and the sandbox. Throws the errors of `planJob`. */
export function planRequest({ actor, recipe, inspection, operator, keepsAlpha }: PlanRequest): PlannedRequest {
  const settled = keepsAlpha ? keepAlpha(recipe, inspection) : { recipe, notes: [] };
  const plan = planJob({ actor, recipe: settled.recipe, inspection, operator });
  if (!isSandbox(actor)) return { ...settled, plan };
  const small = makeSmall(settled.recipe, plan);
  return {
    recipe: small.recipe,
    plan: planJob({ actor, recipe: small.recipe, inspection, operator }),
    notes: [...settled.notes, ...small.notes],
  };
}

/** The recipe with a format that keeps transparency, when no format was set. */
export function keepAlpha(recipe: Recipe, { hasAlpha }: Inspection): { recipe: Recipe; notes: string[] } {
  if (!hasAlpha || recipe.format === 'auto' || formatTraits[recipe.format].alpha) return { recipe, notes: [] };
  const note = `The image has transparency and no format was set, so the result is PNG instead of ${formatNames[recipe.format]}.`;
  return { recipe: { ...recipe, format: 'png' }, notes: [note] };
}
