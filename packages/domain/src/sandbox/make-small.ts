import { isAiEngine } from '@uprez/contracts/policy/engines';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';

/** The recipe that the sandbox follows instead of one that was planned: small, quick and soon gone. Says what it changed. */
export function makeSmall(recipe: Recipe, plan: ImagePlan): { recipe: Recipe; notes: string[] } {
  const { width, height } = plan.output;
  const side = Math.max(width, height);
  const notes = ['This is the sandbox: nothing is charged or counted.'];
  const small = { ...recipe, retention: Math.min(recipe.retention, sandbox.maxHours) };
  const isLarge = Math.max(plan.source.width, plan.source.height) > sandbox.maxSide;
  if (isLarge && isAiEngine(plan.engine)) {
    small.engine = 'standard';
    notes.push(
      `Images of more than ${sandbox.maxSide} pixels are made with "standard" here instead of "${plan.engine}".`,
    );
  }
  if (side <= sandbox.maxSide) return { recipe: small, notes };
  const scale = sandbox.maxSide / side;
  const [smallWidth, smallHeight] = [width, height].map((length) => Math.max(1, Math.round(length * scale)));
  notes.push(`The result is at most ${sandbox.maxSide} pixels long here instead of ${width} x ${height} pixels.`);
  const rest = Object.entries(small).filter(([name]) => !(sizeFields as readonly string[]).includes(name));
  const unsized = Object.fromEntries(rest) as Recipe;
  const size = plan.crop
    ? { width: smallWidth, height: smallHeight }
    : { longSide: sandbox.maxSide, fit: 'fit' as const };
  return { recipe: { ...unsized, ...size } as Recipe, notes };
}
