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
  /** No format was asked for: what is transparent stays so, and becomes a PNG. */
  keepsAlpha?: boolean | undefined;
};
/** The recipe that was followed in the end, and what its caller should know of that. */
export type PlannedRequest = { recipe: Recipe; plan: ImagePlan; notes: string[] };

/** Plan what is made of an image, with all that depends on the image itself. Throws what `planJob` does. */
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

/** A recipe whose format was left open, for an image that may be transparent. */
export function keepAlpha(recipe: Recipe, { hasAlpha }: Inspection): { recipe: Recipe; notes: string[] } {
  if (!hasAlpha || recipe.format === 'auto' || formatTraits[recipe.format].alpha) return { recipe, notes: [] };
  const note = `The image has transparency and no format was set, so the result is PNG instead of ${formatNames[recipe.format]}.`;
  return { recipe: { ...recipe, format: 'png' }, notes: [note] };
}
