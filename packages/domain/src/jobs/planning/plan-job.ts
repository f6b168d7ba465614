import { AppError } from '@uprez/contracts/errors/app-error';
import { plans } from '@uprez/contracts/policy/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { ImagePlan, Inspection } from '@uprez/contracts/schemas/image-plan';
import type { JobLimits } from '@uprez/imaging/plan/job-limits';
import { planImage } from '@uprez/imaging/plan/plan-image';
import type { Actor } from '../../actor.ts';

/** Settings of the operator and capabilities of this installation. */
export type Operator = Pick<JobLimits, 'autoEngine' | 'maxJobSeconds' | 'enginesAvailable' | 'speed'>;
export type PlanInput = { actor: Pick<Actor, 'tier'>; recipe: Recipe; inspection: Inspection; operator: Operator };

/** Plan a job within the limits of the actor's tier. Throws the planner's error. */
export function planJob({ actor, recipe, inspection, operator }: PlanInput): ImagePlan {
  const { tier } = actor;
  const outcome = planImage({
    recipe,
    inspection,
    limits: { ...operator, tier, maxOutputPixels: plans[tier].maxOutputPixels },
  });
  if (outcome.ok) return outcome.plan;
  const { code, ...options } = outcome.rejection;
  throw new AppError(code, options);
}
