import type { LedgerEntry } from '../schemas/jobs/metering.ts';

/** What entries of the credit history are called on the screens and in exports. */
export const ledgerKindNames: Readonly<Record<LedgerEntry['kind'], string>> = {
  grant: 'Added',
  reserve: 'Reserved',
  settle: 'Charged',
  release: 'Refunded',
  expire: 'Expired',
  reverse: 'Removed (payment refunded)',
};
