import type { World } from './attack.ts';

/**
 * Returns the seconds that the worker spent, in attempts that have ended, on jobs and previews that others than the honest user
 * created since `from` and that cost no credits.
 */
export async function readFreeSeconds({ product, honest }: World, from: Date): Promise<number> {
  const { seconds } = await product.db
    .selectFrom('jobs')
    .select(({ fn }) => fn.sum('usedSeconds').as('seconds'))
    .where('accountId', 'is distinct from', honest.id)
    .where('createdAt', '>=', from)
    .where(({ not, exists, selectFrom }) => {
      const charges = selectFrom('ledger').select('ledger.id').whereRef('ledger.jobId', '=', 'jobs.id');
      return not(exists(charges.where('ledger.kind', '=', 'settle')));
    })
    .executeTakeFirstOrThrow();
  return Number(seconds ?? 0);
}
