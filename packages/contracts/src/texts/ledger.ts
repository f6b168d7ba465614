import type { LedgerEntry } from '../schemas/jobs/metering.ts';

/** Names of ledger entry kinds on screens and in exports. */
export const ledgerKindNames: Readonly<Record<LedgerEntry['kind'], string>> = {
  grant: 'Added',
  reserve: 'Reserved',
  settle: 'Charged',
  release: 'Refunded',
  expire: 'Expired',
  reverse: 'Removed (payment refunded)',
};
