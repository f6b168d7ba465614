import { AppError } from '@uprez/contracts/errors/app-error';
import { insertRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { type Actor, isSandbox, surfaceOf } from '../actor.ts';
import { isFileError } from '../batches/cancel-batch.ts';
import type { Needs } from '../context.ts';

type Rejection = { actor: Actor; filename: string; error: unknown };

/**
 * Stores that a single image was rejected before it had a job, for administrators who are asked why. Other errors, such as a
 * lack of credits, and those of the sandbox are not stored. Never throws: the caller's error is the one to report.
 */
export async function recordRejection(
  { db, log }: Needs<'db' | 'log'>,
  { actor, filename, error }: Rejection,
): Promise<void> {
  if (!(error instanceof AppError) || !isFileError(error) || error.code === 'quota_exceeded' || isSandbox(actor))
    return;
  const { accountId } = actor;
  const images = [{ filename, errorCode: error.code, errorDetail: error.message }];
  await insertRejectedImages(db, { accountId, surface: surfaceOf(actor), images }).catch((cause: unknown) => {
    log.warn({ err: cause, accountId }, 'rejected image could not be stored');
  });
}
