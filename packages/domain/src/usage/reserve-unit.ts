import { isAiEngine } from '@uprez/contracts/engines';
import type { ImagePlan } from '@uprez/contracts/image-plan';
import type { Tx } from '@uprez/db/database';
import { insertLedgerRow } from '@uprez/db/queries/ledger';

/** Take the one unit of a new job, on the meter of its engine. */
export async function reserveUnit(tx: Tx, job: { id: string; accountId: string; plan: ImagePlan }): Promise<void> {
  const { engine, output } = job.plan;
  const meter = isAiEngine(engine) ? 'ai' : 'standard';
  const reason = `Reserved for one picture of ${output.width} x ${output.height} pixels with ${engine}`;
  await insertLedgerRow(tx, { account_id: job.accountId, job_id: job.id, kind: 'reserve', meter, units: -1, reason });
}
