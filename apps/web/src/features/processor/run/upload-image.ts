import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { isRejectedRequest } from '../../../lib/api/api-errors.ts';
import { retry } from '../../../lib/api/retry.ts';
import { uploadFile } from '../../../lib/api/upload-file.ts';
import type { SourceImage } from '../state/image.ts';
import { deleteRunKey, getRunKey } from '../state/run-storage.ts';
import { toFormFields } from '../state/settings-store.ts';

type Upload = {
  source: SourceImage['source'];
  recipe: Recipe;
  signal: AbortSignal;
  onPercent: (percent: number) => void;
  /** Called after the connection is lost, before the next attempt. */
  onRetry: () => void;
};

/**
 * Uploads an image and returns its job. All attempts of a run use the same idempotency key, so a lost response doesn't
 * create a second job. Throws like `uploadFile`.
 */
export async function uploadImage({ source, recipe, signal, onPercent, onRetry }: Upload): Promise<Job> {
  const fields = toFormFields(recipe);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  body.set('image', source);
  const headers = { prefer: 'respond-async', 'idempotency-key': getRunKey(JSON.stringify(fields)) };
  const upload = () => uploadFile({ route: apiRoutes.processImage, body, headers, signal, onPercent });
  try {
    // Only a missing response is retried. After a server error, the user decides.
    const job = (await retry(upload, { signal, attempts: 1, onRetry })) as Job;
    deleteRunKey();
    return job;
  } catch (error) {
    if (isRejectedRequest(error)) deleteRunKey();
    throw error;
  }
}
