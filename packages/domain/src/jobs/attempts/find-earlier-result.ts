import { type FreeReason, freeNotes } from '@uprez/contracts/policy/free-jobs';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { findJobWithFiles, type JobFile } from '@uprez/db/queries/jobs/jobs';
import { findRepeated } from '@uprez/db/queries/jobs/repeats';
import type { Needs } from '../../context.ts';

/** `receipt`: of the copy, which is free. */
export type EarlierResult = { receipt: Receipt; result: JobFile; thumbnail: JobFile };

const notesOnCharge: readonly string[] = Object.values(freeNotes);

/** A receipt of a job that is free for another reason than its own. */
export const withFreeReason = (receipt: Receipt, freeReason: FreeReason): Receipt => ({
  ...receipt,
  freeReason,
  notes: [...receipt.notes.filter((note) => !notesOnCharge.includes(note)), freeNotes[freeReason]],
});

/**
 * The stored result of the same image with the same options, which the account has of another job. Undefined if there is none.
 * It only saves the work: `completeJob` decides whether a job is charged that found none.
 */
export async function findEarlierResult({ db }: Needs<'db'>, jobId: string): Promise<EarlierResult | undefined> {
  const earlierId = await findRepeated(db, jobId);
  const found = earlierId ? await findJobWithFiles(db, earlierId) : undefined;
  if (!found?.job.receipt || !found.result || !found.thumbnail) return undefined;
  return {
    receipt: withFreeReason(found.job.receipt, 'repeated'),
    result: found.result,
    thumbnail: found.thumbnail,
  };
}
