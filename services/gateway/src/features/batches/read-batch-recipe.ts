import { type Fields, findField, parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { v1Defaults } from '@uprez/contracts/v1/fields';
import { type Actor, surfaceOf } from '@uprez/domain/actor';

/** One recipe for many images, with the defaults of the surface; `keepsAlpha`: the public API was told no format. */
export function readBatchRecipe(actor: Actor, fields: Fields): { recipe: Recipe; keepsAlpha: boolean } {
  const isApi = surfaceOf(actor) === 'api';
  return {
    recipe: parseRecipe(fields, isApi ? v1Defaults : {}),
    keepsAlpha: isApi && !fields.some(([name]) => findField(name) === 'format'),
  };
}
