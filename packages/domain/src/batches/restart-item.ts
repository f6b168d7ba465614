import { AppError } from '@uprez/contracts/errors/app-error';
import type { RequestedEngine } from '@uprez/contracts/policy/engines';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import type { Tx } from '@uprez/db/database';
import { type BatchItemRow, changeBatchItems } from '@uprez/db/queries/jobs/batch-items';
import type { BatchRow } from '@uprez/db/queries/jobs/batches';
import { changeJob, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { keepSource, type ObjectRow } from '@uprez/db/queries/jobs/objects';
import { now } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { type Actor, originOfBatch } from '../actor.ts';
import type { Operator } from '../jobs/plan-job.ts';
import { type PlannedWish, planWish } from '../jobs/plan-wish.ts';
import { queueJob } from '../jobs/queue-job.ts';
import { meterOf } from '../usage/reserve-unit.ts';
import type { Reservation } from '../usage/reserve-units.ts';
import type { ItemWithJob } from './get-batch.ts';
import { guessMeter, itemRecipe } from './item-recipe.ts';

export type Again = { actor: Actor; batch: BatchRow; engine?: RequestedEngine | undefined; operator: Operator };
/** The unit that it needs now, and its job where the file was still here. */
export type Restarted = { unit: Reservation; job?: JobRow };

const reason = 'Reserved for another try of an image of a batch';

/**
 * Begin again with a failed item, held with its batch: queue a new job with the kept file, or let it wait for its file.
 * Undefined when the plan of the kept file is refused; the item then says why. Whoever calls reserves the unit.
 */
export async function restartItem(tx: Tx, again: Again, { item, found }: ItemWithJob): Promise<Restarted | undefined> {
  const engine = again.engine ?? item.engine;
  const recipe = itemRecipe(again.batch, { engine });
  const id = uuidv7();
  const inspection = found?.source?.inspection;
  if (found?.source && inspection) {
    const planned = await planOrFail(tx, again, { item, recipe, inspection });
    if (!planned) return undefined;
    if (await takeSource(tx, found.job, found.source)) {
      const { filename, sourceBytes: sizeBytes } = found.job;
      const source = { id: found.source.id, sizeBytes, inspection };
      const origin = originOfBatch(again.batch);
      const job = await queueJob(tx, { id, actor: again.actor, origin, ...planned, filename, source });
      await change(tx, item, { status: 'taken', unitId: id, jobId: id, engine });
      return { unit: { id, meter: meterOf(planned.plan), reason }, job };
    }
  }
  await change(tx, item, { status: 'waiting', unitId: id, jobId: null, engine, fetchAt: now, fetches: 0 });
  return { unit: { id, meter: guessMeter(recipe, again.operator), reason } };
}

type ItemChange = Partial<
  Pick<BatchItemRow, 'status' | 'unitId' | 'jobId' | 'engine' | 'errorCode' | 'errorDetail' | 'fetches'>
> & { fetchAt?: typeof now };

const change = (tx: Tx, item: BatchItemRow, changes: ItemChange) =>
  changeBatchItems(
    tx,
    { batchId: item.batchId, id: item.id, status: item.status },
    { errorCode: null, errorDetail: null, ...changes },
  );

/** Keep the failed job's file from the sweep. False: it is gone. */
async function takeSource(tx: Tx, job: JobRow, source: ObjectRow): Promise<boolean> {
  const left = await changeJob(tx, { id: job.id, status: 'failed' }, { sourceId: null });
  return left !== undefined && keepSource(tx, { id: source.id, jobId: job.id });
}

type Wanted = { item: BatchItemRow; recipe: Recipe; inspection: Inspection };

async function planOrFail(
  tx: Tx,
  again: Again,
  { item, recipe, inspection }: Wanted,
): Promise<PlannedWish | undefined> {
  try {
    const { actor, batch, operator } = again;
    return planWish({ actor, recipe, inspection, operator, keepsAlpha: batch.keepsAlpha });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await change(tx, item, { status: 'failed', errorCode: error.code, errorDetail: error.message });
    return undefined;
  }
}
