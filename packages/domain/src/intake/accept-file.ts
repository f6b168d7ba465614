import { AppError } from '@uprez/contracts/errors/app-error';
import type { Actor } from '../actor.ts';
import { acceptItem, type ItemFile, requireSameFile } from '../batches/accept-item.ts';
import { failItem, isFileError } from '../batches/cancel-batch.ts';
import { getBatchItem, itemRecipe, type OwnItem } from '../batches/get-batch.ts';
import type { Needs } from '../context.ts';
import { abandonUpload } from '../uploads/begin-upload.ts';
import { applySandboxTrigger, failInSandbox, startsAfterS } from './apply-sandbox-trigger.ts';
import { describeOperator, type OperatorContext } from './describe-engines.ts';
import { type InspectorContext, prepareUpload, type Upload } from './prepare-upload.ts';

type JobContext = Needs<'db' | 'storage' | 'queue' | 'publisher' | 'log'>;
export type FileContext = JobContext & InspectorContext & OperatorContext;
type NewFile = { actor: Actor; own: OwnItem; receive: () => Promise<Upload> };

/**
 * Receives the file of a batch item and creates its job, unless the item no longer waits for a file. An error in the
 * file fails the item and is thrown; after other errors, the file can be sent again.
 */
export async function acceptFile(ctx: FileContext, { actor, own, receive }: NewFile): Promise<void> {
  try {
    const upload = await receive();
    await takeUpload(ctx, { actor, own, upload }).catch(async (error: unknown) => {
      await abandonUpload(ctx, upload);
      throw error;
    });
  } catch (error) {
    if (error instanceof AppError && isFileError(error)) await failItem(ctx, own, error);
    throw error;
  }
}

type StoredFile = Pick<NewFile, 'actor' | 'own'> & { upload: Upload };

async function takeUpload(ctx: FileContext, { actor, own: { batch, item }, upload }: StoredFile): Promise<void> {
  const recipe = itemRecipe(batch, item);
  const operator = await describeOperator(ctx);
  const prepared = await prepareUpload(ctx, { actor, upload, recipe, operator, keepsAlpha: batch.keepsAlpha });
  await ctx.freeWork.spend(actor, { seconds: prepared.plan.estimate.seconds, batchId: batch.id });
  const accepted = await acceptTriggered(ctx, { actor, itemId: item.id, filename: item.name, ...prepared });
  if (accepted) return ctx.freeWork.keepCaller(actor, accepted.job.id, batch.id);
  await abandonUpload(ctx, upload);
  // Another request created the job first.
  requireSameFile(await getBatchItem(ctx, { actor, id: batch.id, itemId: item.id }), upload);
}

/** Creates the job of a batch item. In the sandbox, the filename may trigger an error or a delay. */
export async function acceptTriggered(
  ctx: JobContext,
  file: Omit<ItemFile, 'notBefore'>,
): ReturnType<typeof acceptItem> {
  const trigger = applySandboxTrigger(file.actor, file.filename);
  const accepted = await acceptItem(ctx, { ...file, notBefore: startsAfterS(trigger) });
  if (accepted && trigger?.kind === 'fail') await failInSandbox(ctx, { job: accepted.job, code: trigger.code });
  return accepted;
}
