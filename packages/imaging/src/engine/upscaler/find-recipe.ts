import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Recipe, recipeSchema } from '@uprez/models/onnx/recipe';

/** Load the INT8 recipe of an engine. Returns undefined when it has none. Throws when the file is damaged. */
export async function findRecipe(engine: string): Promise<Recipe | undefined> {
  const path = fileURLToPath(new URL(`../../../recipes/${engine}.int8.json`, import.meta.url));
  try {
    return recipeSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
