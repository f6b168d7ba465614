import { type FieldFacts, recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { v1Defaults } from '@uprez/contracts/v1/fields';

/** The parameters of a recipe, with the defaults of the public API where the shared table tells those of the web. */
export const listFields = (): [string, FieldFacts][] =>
  Object.entries(recipeFields).map(([name, facts]) => {
    const own = (v1Defaults as Record<string, unknown>)[name];
    const says = own === undefined ? facts.says : facts.says.replace(/\(default [^)]+\)/, `(default ${own})`);
    return [name, { ...facts, says }];
  });
