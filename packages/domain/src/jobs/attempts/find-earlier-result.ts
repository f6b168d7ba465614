import { type FreeReason, freeNotes } from '@uprez/contracts/policy/free-jobs';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { findBatchOfJob } from '@uprez/db/queries/jobs/batches';
import type { JobFile } from '@uprez/db/queries/jobs/job-files';
import { findRepeat } from '@uprez/db/queries/jobs/jobs';
import type { Needs } from '../../context.ts';
import { withFiles } from '../get-job.ts';
import type { Claim } from './claim-next-job.ts';

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
 * The stored result of the same image with the same options, which the account has of another job. Undefined if there is none,
 * and for single requests of the public API: those look for it when they are created, unless they are told not to.
 */
export async function findEarlierResult(
  { db }: Needs<'db'>,
  { job, source }: Pick<Claim, 'job' | 'source'>,
): Promise<EarlierResult | undefined> {
  const { id, accountId, kind, surface, recipe, plan } = job;
  if (accountId === null || kind !== 'image' || !source?.sha256) return undefined;
  if (surface === 'api' && !(await findBatchOfJob(db, id))) return undefined;
  const earlier = await findRepeat(db, { accountId, kind, sha256: source.sha256, recipe, plan });
  const [found] = earlier ? await withFiles(db, [earlier]) : [];
  if (!found?.job.receipt || !found.result || !found.thumbnail) return undefined;
  return {
    receipt: withFreeReason(found.job.receipt, 'repeated'),
    result: found.result,
    thumbnail: found.thumbnail,
  };
}
