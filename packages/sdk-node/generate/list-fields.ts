import { type FieldFacts, recipeFields } from '@uprez/contracts/recipe/recipe-fields';
import { v1Defaults } from '@uprez/contracts/v1/fields';

/** Lists the parameters of a recipe, with the defaults of the public API in their descriptions. */
export const listFields = (): [string, FieldFacts][] =>
  Object.entries(recipeFields).map(([name, facts]) => {
    const fallback = (v1Defaults as Record<string, unknown>)[name];
    const description = facts.description.replaceAll('`', '');
    return [
      name,
      { ...facts, description: fallback === undefined ? description : `${description} (default ${fallback})` },
    ];
  });
