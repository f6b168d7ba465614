import { AppError } from '@uprez/contracts/errors/app-error';
import type { Fields } from '@uprez/contracts/recipe/parse-recipe';
import type { Actor } from '@uprez/domain/actor';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { createBatch, type NewBatchItem } from '@uprez/domain/batches/create-batch';
import { isFileFault } from '@uprez/domain/batches/fail-item';
import { getBatch } from '@uprez/domain/batches/get-batch';
import { guessMeter } from '@uprez/domain/batches/item-recipe';
import { meterOf } from '@uprez/domain/usage/reserve-units';
import type { Deps } from '../../deps.ts';
import { takeSwitch } from '../../http/take-switch.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { obeyMagic } from '../jobs/obey-magic.ts';
import { type PlannedUpload, planUpload, type UploadToPlan } from '../uploads/plan-upload.ts';
import { abandonFiles, type ReceivedFile } from '../uploads/receive-files.ts';
import { acceptNamed } from './accept-named.ts';
import { readBatchRecipe } from './read-batch-recipe.ts';

type BulkForm = { files: ReceivedFile[]; fields: Fields; idempotencyKey: string | undefined };
type PlannedFile = ReceivedFile & { planned?: PlannedUpload };

/**
 * Make a batch of the images of one form, with a job for each that can be read; the others fail by themselves.
 * `woken`: Redis took every wake-up. A batch that a key stands for already gets the files that it still waits for.
 * Whatever becomes no job is removed.
 */
export async function acceptBulk(
  deps: Deps,
  actor: Actor,
  form: BulkForm,
): Promise<{ batchId: string; woken: boolean; charged: number }> {
  try {
    const { value: acceptPartial = false, rest } = takeSwitch(form.fields, 'acceptPartial');
    const { recipe, keepsAlpha } = readBatchRecipe(actor, rest);
    const operator = await describeOperator(deps);
    const files: PlannedFile[] = [];
    for (const file of form.files) files.push(await planFile(deps, actor, { file, recipe, operator, keepsAlpha }));
    const items = files.map((file, index) => itemOf(file, index, guessMeter(recipe, operator)));
    const { idempotencyKey } = form;
    const wanted = { actor, recipe, items, acceptPartial, keepsAlpha, idempotencyKey };
    const { batch, charged } = await createBatch(deps, wanted);
    const woken = await fillBatch(deps, actor, { batchId: batch.id, files, keepsUnits: !!idempotencyKey });
    return { batchId: batch.id, woken, charged };
  } finally {
    // What belongs to a job stays.
    await abandonFiles(deps, form.files);
  }
}

type FileToPlan = { file: ReceivedFile } & Omit<UploadToPlan, 'upload'>;

async function planFile(deps: Deps, actor: Actor, { file, ...wish }: FileToPlan): Promise<PlannedFile> {
  if (!file.upload) return file;
  try {
    // What the sandbox is asked to refuse is refused before there is a batch.
    obeyMagic(actor, file.filename);
    return { ...file, planned: await planUpload(deps, actor, { ...wish, upload: file.upload }) };
  } catch (error) {
    if (error instanceof AppError && isFileFault(error)) return { ...file, error };
    throw error;
  }
}

function itemOf(file: PlannedFile, index: number, guessed: NewBatchItem['meter']): NewBatchItem {
  const { filename, upload, planned, error } = file;
  return {
    clientId: String(index + 1),
    name: filename,
    relativePath: '',
    size: upload?.sizeBytes ?? null,
    meter: planned ? meterOf(planned.plan) : guessed,
    ...(upload && { sha256: upload.sha256 }),
    ...(error && { error: { code: error.code, detail: error.message } }),
  };
}

type Filling = { batchId: string; files: readonly PlannedFile[]; keepsUnits: boolean };

/** A job for each item that waits. Without a key nobody could come back with the files, so a failure cancels the batch. */
async function fillBatch(deps: Deps, actor: Actor, filling: Filling): Promise<boolean> {
  const { batchId, files, keepsUnits } = filling;
  let woken = true;
  try {
    for (const { item } of (await getBatch(deps, { actor, id: batchId })).items) {
      const { planned, filename } = files[item.position] ?? {};
      if (item.status !== 'waiting' || !planned || filename === undefined) continue;
      const accepted = await acceptNamed(deps, actor, { itemId: item.id, filename, ...planned });
      if (accepted && !accepted.woken) woken = false;
    }
    return woken;
  } catch (error) {
    if (!keepsUnits)
      await cancelBatch(deps, { actor, id: batchId }).catch((cause: unknown) =>
        deps.log.warn({ err: cause, batchId }, 'a batch that could not be filled is left to the sweep'),
      );
    throw error;
  }
}
