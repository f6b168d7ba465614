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
  /** Called before the next attempt after the connection was lost. */
  onRetry: () => void;
};

/**
 * Uploads an image and returns its job. All attempts use the same idempotency key, because a lost response must not
 * create a second job. Throws the same errors as `uploadFile`.
 */
export async function uploadImage({ source, recipe, signal, onPercent, onRetry }: Upload): Promise<Job> {
  const fields = toFormFields(recipe);
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  body.set('image', source);
  const headers = { prefer: 'respond-async', 'idempotency-key': getRunKey(JSON.stringify(fields)) };
  const upload = () => uploadFile({ route: apiRoutes.processImage, body, headers, signal, onPercent });
  try {
    // Retries only if no response arrived. After a server error, the user decides whether to try again.
    const job = (await retry(upload, { signal, attempts: 1, onRetry })) as Job;
    deleteRunKey();
    return job;
  } catch (error) {
    if (isRejectedRequest(error)) deleteRunKey();
    throw error;
  }
}
