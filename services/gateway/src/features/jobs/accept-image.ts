import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Actor } from '@uprez/domain/actor';
import { type CreatedJob, createJob } from '@uprez/domain/jobs/create-job';
import { abandonUpload } from '@uprez/domain/uploads/begin-upload';
import type { Deps } from '../../deps.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { planUpload } from '../uploads/plan-upload.ts';
import type { ReceivedForm, Upload } from '../uploads/receive-upload.ts';

/**
 * Make a job of an uploaded image: fields to recipe, header to inspection, both to a plan. Whatever refuses it also
 * removes it.
 */
export function acceptImage(
  deps: Deps,
  actor: Actor,
  { upload, fields, idempotencyKey }: ReceivedForm & { idempotencyKey: string | undefined },
): Promise<CreatedJob> {
  return keepIfTaken(deps, upload, async () => {
    const recipe = parseRecipe(fields);
    const operator = await describeOperator(deps);
    const planned = await planUpload(deps, actor, { upload, recipe, operator });
    return createJob(deps, { actor, filename: upload.filename, idempotencyKey, ...planned });
  });
}

/** Remove an upload that becomes no job: whatever was thrown, or because there is one already. */
export async function keepIfTaken<T extends { joined: boolean; repeated: boolean } | undefined>(
  deps: Deps,
  upload: Upload,
  take: () => Promise<T>,
): Promise<T> {
  try {
    const taken = await take();
    if (!taken || taken.joined || taken.repeated) await abandonUpload(deps, upload);
    return taken;
  } catch (error) {
    await abandonUpload(deps, upload);
    throw error;
  }
}

/** The Idempotency-Key header. Throws `invalid_parameter` when it is too long. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  const key = [header ?? []].flat().join(',');
  if (key.length > limits.idempotencyKeyLength)
    throw new AppError('invalid_parameter', {
      param: 'Idempotency-Key',
      allowed: `at most ${limits.idempotencyKeyLength} characters`,
    });
  return key || undefined;
}
