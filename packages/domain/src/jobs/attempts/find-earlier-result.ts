import { type FreeReason, freeNotes } from '@uprez/contracts/policy/free-jobs';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { findJobWithFiles, type JobFile } from '@uprez/db/queries/jobs/jobs';
import { findRepeatedJob } from '@uprez/db/queries/jobs/repeats';
import type { Needs } from '../../context.ts';

/** `receipt`: receipt for the job that reuses the result, which makes it free. */
export type EarlierResult = { receipt: Receipt; result: JobFile; thumbnail: JobFile };

const notesOnCharge: readonly string[] = Object.values(freeNotes);

/** Records why a job is free. Its note replaces other notes about the charge. */
export const addFreeReason = (receipt: Receipt, freeReason: FreeReason): Receipt => ({
  ...receipt,
  freeReason,
  notes: [...receipt.notes.filter((note) => !notesOnCharge.includes(note)), freeNotes[freeReason]],
});

/**
 * Returns the stored result of another job by the same account with the same image and options, or undefined if none
 * exists. This only saves processing time: if it finds no result, `completeJob` checks again before it charges the job.
 */
export async function findEarlierResult({ db }: Needs<'db'>, jobId: string): Promise<EarlierResult | undefined> {
  const earlierId = await findRepeatedJob(db, jobId);
  const found = earlierId ? await findJobWithFiles(db, earlierId) : undefined;
  if (!found?.job.receipt || !found.result || !found.thumbnail) return undefined;
  return {
    receipt: addFreeReason(found.job.receipt, 'repeated'),
    result: found.result,
    thumbnail: found.thumbnail,
  };
}
