import type { Job } from '@uprez/contracts/job';
import type { Recipe } from '@uprez/contracts/recipe';
import { randomId } from '../../lib/random-id.ts';
import { uploadFile } from '../../lib/upload-file.ts';
import type { Picture } from './picture.ts';
import { recipeFields } from './recipe-of.ts';

type Upload = {
  source: Picture['source'];
  recipe: Recipe;
  signal: AbortSignal;
  onPercent: (percent: number) => void;
};

/** Send a picture, or its address, and answer its job without waiting for the result. Throws as `uploadFile`. */
export async function uploadPicture({ source, recipe, signal, onPercent }: Upload): Promise<Job> {
  const body = new FormData();
  for (const [name, value] of Object.entries(recipeFields(recipe))) body.set(name, String(value));
  if (typeof source === 'string') body.set('imageUrl', source);
  else body.set('image', source);
  const headers = { prefer: 'respond-async', 'idempotency-key': randomId() };
  return (await uploadFile({ route: 'processImage', body, headers, signal, onPercent })) as Job;
}
