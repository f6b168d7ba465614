import { listAllowanceErrors, listJobsWithoutResult, listLedgerErrors } from '@uprez/db/queries/usage/ledger';
import type { Measurement } from './measurement.ts';

/** Rows per check, for a cost that doesn't grow with the tables. `npm run check:ledger` reads all of them. */
const newest = 5_000;

/** The invariants of the ledger, for what changed last. */
export const ledger: Measurement = {
  name: 'ledger',
  sweeps: 60,
  families: [
    {
      name: 'ledger_errors',
      help: `Contradictions among the newest ${newest} finished jobs and ledger entries, by check.`,
      labels: ['check'],
    },
  ],
  measure: async (db) => ({
    ledger_errors: [
      { labels: { check: 'jobs' }, value: (await listLedgerErrors(db, newest)).length },
      { labels: { check: 'allowances' }, value: (await listAllowanceErrors(db, newest)).length },
      { labels: { check: 'results' }, value: (await listJobsWithoutResult(db, newest)).length },
    ],
  }),
};
