import { AppError } from '@uprez/contracts/errors/app-error';
import type { RequestedEngine } from '@uprez/contracts/policy/engines';
import type { RestartedItem } from '@uprez/db/queries/jobs/batch-items';
import type { BatchRow } from '@uprez/db/queries/jobs/batches';
import { uuidv7 } from 'uuidv7';
import { type Actor, originOfBatch } from '../actor.ts';
import type { Operator } from '../jobs/planning/plan-job.ts';
import { planRequest } from '../jobs/planning/plan-request.ts';
import type { JobToQueue } from '../jobs/queue-jobs.ts';
import { meterOf, type Reservation } from '../usage/reserve-units.ts';
import type { ItemWithJob } from './get-batch.ts';
import { guessMeter, itemRecipe } from './item-recipe.ts';

/** `engine`: used instead of the batch's. */
export type Retry = { actor: Actor; batch: BatchRow; engine?: RequestedEngine | undefined; operator: Operator };

/** The new state of a failed item, with the unit and the job that it needs. */
export type Restart = { item: RestartedItem; unit?: Reservation; job?: JobToQueue };

const reason = 'Reserved to retry one image of a batch';

/** Let a failed item wait for its file again. */
export function planWait({ batch, operator, ...retry }: Retry, { item }: ItemWithJob): Restart {
  const engine = retry.engine ?? item.engine;
  const id = uuidv7();
  const meter = guessMeter(itemRecipe(batch, { engine }), operator);
  const state = { status: 'waiting', unitId: id, jobId: null, engine, errorCode: null, errorDetail: null } as const;
  return { item: { ...item, ...state }, unit: { id, meter, reason } };
}

/** Plan a new job from the file of a failed one. Without a unit and a job when the plan is refused. */
export function planJobAgain(retry: Retry, { item, found }: ItemWithJob): Restart | undefined {
  const inspection = found?.source?.inspection;
  if (!found?.source || !inspection) return undefined;
  const { actor, batch, operator } = retry;
  const engine = retry.engine ?? item.engine;
  const id = uuidv7();
  try {
    const recipe = itemRecipe(batch, { engine });
    const planned = planRequest({ actor, recipe, inspection, operator, keepsAlpha: batch.keepsAlpha });
    const { filename, sourceBytes: sizeBytes } = found.job;
    const source = { id: found.source.id, sizeBytes, inspection };
    const state = { status: 'taken', unitId: id, jobId: id, engine, errorCode: null, errorDetail: null } as const;
    return {
      item: { ...item, ...state },
      unit: { id, meter: meterOf(planned.plan), reason },
      job: { id, actor, origin: originOfBatch(batch), ...planned, filename, source },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { item: { ...item, status: 'failed', errorCode: error.code, errorDetail: error.message } };
  }
}
