import { AppError } from '@uprez/contracts/errors/app-error';
import { extractBoolean, type Fields } from '@uprez/contracts/recipe/parse-recipe';
import type { Actor } from '../actor.ts';
import { acceptItem, type ItemFile, requireSameFile } from '../batches/accept-item.ts';
import { cancelBatch, failItem, isImageError } from '../batches/cancel-batch.ts';
import { createBatch, type NewBatchItem } from '../batches/create-batch.ts';
import { getBatch, getBatchItem, guessMeter, itemRecipeOf, type OwnItem } from '../batches/get-batch.ts';
import type { Needs } from '../context.ts';
import { spendFreeWork } from '../jobs/admission.ts';
import type { RequestInput } from '../jobs/pipeline/make-job-pipeline.ts';
import { reportLimitOf } from '../report-limit.ts';
import { abandonUpload } from '../uploads/begin-upload.ts';
import { meterOf } from '../usage/reserve-units.ts';
import { readBatchRecipe } from './announce-batch.ts';
import { applySandboxTrigger, failInSandbox, startDelayOf } from './apply-sandbox-trigger.ts';
import { describeOperator, type OperatorContext } from './describe-engines.ts';
import { type InspectorContext, type PreparedUpload, prepareUpload, type Upload } from './prepare-upload.ts';

/** A file from a form, which was either stored or rejected. */
export type ReceivedFile = { filename: string; upload?: Upload; error?: AppError };
type BulkForm = { actor: Actor; files: ReceivedFile[]; fields: Fields; idempotencyKey: string | undefined };
type PreparedFile = ReceivedFile & { prepared?: PreparedUpload };

/**
 * Creates a batch from the files in a form, with a job for each valid image. If a batch with the idempotency key
 * exists, fills its waiting items with the files instead. `woken`: whether all jobs were enqueued in Redis. Deletes
 * unused uploads.
 */
export async function acceptBulk(ctx: FileContext & Needs<'vault'>, { actor, idempotencyKey, ...form }: BulkForm) {
  try {
    const { value: acceptPartial = false, rest } = extractBoolean(form.fields, 'acceptPartial');
    const { recipe, keepsAlpha } = readBatchRecipe(actor, rest);
    const operator = await describeOperator(ctx);
    const files: PreparedFile[] = [];
    for (const file of form.files) {
      files.push(await prepareFile(ctx, { file, idempotencyKey, actor, recipe, operator, keepsAlpha }));
    }
    for (const { error } of files) if (error) reportLimitOf(error);
    const items = files.map((file, index) => toBatchItem(file, index, guessMeter(recipe, operator)));
    const newBatch = { actor, recipe, items, acceptPartial, keepsAlpha, idempotencyKey };
    const { batch, charged } = await createBatch(ctx, newBatch);
    const woken = await fillBatch(ctx, { actor, batchId: batch.id, files, keepsUnits: !!idempotencyKey });
    return { batchId: batch.id, woken, charged };
  } finally {
    // Deletes only the uploads that no job uses.
    await abandonUploads(ctx, form.files);
  }
}

export async function abandonUploads(ctx: Needs<'db' | 'storage' | 'log'>, files: readonly ReceivedFile[]) {
  for (const { upload } of files) if (upload) await abandonUpload(ctx, upload);
}

type FileToPlan = { file: ReceivedFile; idempotencyKey: string | undefined } & Omit<RequestInput, 'inspection'>;

async function prepareFile(
  ctx: InspectorContext & Needs<'db'>,
  { file, idempotencyKey, ...request }: FileToPlan,
): Promise<PreparedFile> {
  if (!file.upload) return file;
  try {
    // Called before the batch is created, because it throws the error that a filename triggers.
    applySandboxTrigger(request.actor, file.filename);
    const prepared = await prepareUpload(ctx, { ...request, upload: file.upload });
    await spendFreeWork(ctx, { actor: request.actor, idempotencyKey, seconds: prepared.plan.estimate.seconds });
    return { ...file, prepared };
  } catch (error) {
    if (error instanceof AppError && isImageError(error)) return { ...file, error };
    throw error;
  }
}

function toBatchItem(file: PreparedFile, index: number, guessed: NewBatchItem['meter']): NewBatchItem {
  const { filename, upload, prepared, error } = file;
  return {
    clientId: String(index + 1),
    name: filename,
    relativePath: '',
    size: upload?.sizeBytes ?? null,
    meter: prepared ? meterOf(prepared.plan) : guessed,
    ...(upload && { sha256: upload.sha256 }),
    ...(error && { error: { code: error.code, detail: error.message } }),
  };
}

type FillInput = { actor: Actor; batchId: string; files: readonly PreparedFile[]; keepsUnits: boolean };

/**
 * Creates a job for each waiting item. If this fails, cancels the batch, unless `keepsUnits` is set because the request
 * has an idempotency key and can be repeated.
 */
async function fillBatch(ctx: FileContext, { actor, batchId, files, keepsUnits }: FillInput): Promise<boolean> {
  let woken = true;
  try {
    for (const { item } of (await getBatch(ctx, { actor, id: batchId })).items) {
      const { prepared, filename } = files[item.position] ?? {};
      if (item.status !== 'waiting' || !prepared || filename === undefined) continue;
      const accepted = await acceptItemWithTrigger(ctx, { actor, itemId: item.id, filename, ...prepared });
      if (!accepted) continue;
      await ctx.freeWork.keepCaller(actor, accepted.job.id);
      if (!accepted.woken) woken = false;
    }
    return woken;
  } catch (error) {
    if (!keepsUnits)
      await cancelBatch(ctx, { actor, id: batchId }).catch((cause: unknown) =>
        ctx.log.warn({ err: cause, batchId }, 'incomplete batch could not be canceled'),
      );
    throw error;
  }
}

type JobContext = Needs<'db' | 'storage' | 'queue' | 'publisher' | 'log'>;
export type FileContext = JobContext & InspectorContext & OperatorContext;
type NewFile = { actor: Actor; own: OwnItem; receive: () => Promise<Upload> };

/**
 * Receives the file for a batch item and creates the item's job, unless the item is no longer waiting for a file. If
 * the file is invalid, fails the item and throws the error. After other errors, the file can be sent again.
 */
export async function acceptFile(ctx: FileContext, { actor, own, receive }: NewFile): Promise<void> {
  try {
    const upload = await receive();
    await acceptUpload(ctx, { actor, own, upload }).catch(async (error: unknown) => {
      await abandonUpload(ctx, upload);
      throw error;
    });
  } catch (error) {
    if (error instanceof AppError && isImageError(error)) await failItem(ctx, own, error);
    throw error;
  }
}

type StoredFile = Pick<NewFile, 'actor' | 'own'> & { upload: Upload };

async function acceptUpload(ctx: FileContext, { actor, own: { batch, item }, upload }: StoredFile): Promise<void> {
  const recipe = itemRecipeOf(batch, item);
  const operator = await describeOperator(ctx);
  const prepared = await prepareUpload(ctx, { actor, upload, recipe, operator, keepsAlpha: batch.keepsAlpha });
  await ctx.freeWork.spend(actor, { seconds: prepared.plan.estimate.seconds, batchId: batch.id });
  const accepted = await acceptItemWithTrigger(ctx, { actor, itemId: item.id, filename: item.name, ...prepared });
  if (accepted) return ctx.freeWork.keepCaller(actor, accepted.job.id, batch.id);
  await abandonUpload(ctx, upload);
  // Another request has already created the job, which must use the same file.
  requireSameFile(await getBatchItem(ctx, { actor, id: batch.id, itemId: item.id }), upload);
}

/** In the sandbox, the filename can trigger an error or a delay. */
async function acceptItemWithTrigger(
  ctx: JobContext,
  file: Omit<ItemFile, 'notBefore'>,
): ReturnType<typeof acceptItem> {
  const trigger = applySandboxTrigger(file.actor, file.filename);
  const accepted = await acceptItem(ctx, { ...file, notBefore: startDelayOf(trigger) });
  if (accepted && trigger?.kind === 'fail') await failInSandbox(ctx, { job: accepted.job, code: trigger.code });
  return accepted;
}
