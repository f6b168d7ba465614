import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Job } from '@uprez/contracts/schemas/job';
import { uploadFile } from '../../../lib/api/upload-file.ts';
import { randomId } from '../../../lib/browser/random-id.ts';
import { recipeFields } from '../settings/recipe-of.ts';
import type { SourceImage } from '../source/image.ts';

type Upload = {
  source: SourceImage['source'];
  recipe: Recipe;
  signal: AbortSignal;
  onPercent: (percent: number) => void;
};

/** Send an image, or its address, and answer its job without waiting for the result. Throws as `uploadFile`. */
export async function uploadImage({ source, recipe, signal, onPercent }: Upload): Promise<Job> {
  const body = new FormData();
  for (const [name, value] of Object.entries(recipeFields(recipe))) body.set(name, String(value));
  if (typeof source === 'string') body.set('imageUrl', source);
  else body.set('image', source);
  const headers = { prefer: 'respond-async', 'idempotency-key': randomId() };
  return (await uploadFile({ route: 'processImage', body, headers, signal, onPercent })) as Job;
}
