import { isAiEngine } from '@uprez/contracts/policy/engines';
import { sandbox } from '@uprez/contracts/policy/sandbox';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';

/** Reduces a recipe to the limits of the sandbox. `notes` lists the changes. */
export function makeSmall(recipe: Recipe, plan: ImagePlan): { recipe: Recipe; notes: string[] } {
  const { width, height } = plan.output;
  const side = Math.max(width, height);
  const notes = ["Sandbox: this job isn't charged or counted."];
  const small = { ...recipe, retention: Math.min(recipe.retention, sandbox.maxHours) };
  const isLarge = Math.max(plan.source.width, plan.source.height) > sandbox.maxSide;
  if (isLarge && isAiEngine(plan.engine)) {
    small.engine = 'standard';
    notes.push(`Sandbox: images larger than ${sandbox.maxSide} pixels use "standard" instead of "${plan.engine}".`);
  }
  if (side <= sandbox.maxSide) return { recipe: small, notes };
  const scale = sandbox.maxSide / side;
  const [smallWidth, smallHeight] = [width, height].map((length) => Math.max(1, Math.round(length * scale)));
  notes.push(
    `Sandbox: the result is limited to ${sandbox.maxSide} pixels per side instead of ${width} x ${height} pixels.`,
  );
  const rest = Object.entries(small).filter(([name]) => !(sizeFields as readonly string[]).includes(name));
  const unsized = Object.fromEntries(rest) as Recipe;
  const size = plan.crop
    ? { width: smallWidth, height: smallHeight }
    : { longSide: sandbox.maxSide, fit: 'fit' as const };
  return { recipe: { ...unsized, ...size } as Recipe, notes };
}
