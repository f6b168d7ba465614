import type { LedgerEntry } from '@uprez/contracts/schemas/metering';

export const ledgerMessages = {
  caption: 'Credit history, newest first',
  time: 'Time',
  kind: 'Type',
  reason: 'Reason',
  meter: 'Images',
  units: 'Credits',
  meters: { ai: 'AI', standard: 'Standard', shared: 'Any' },
  kinds: {
    grant: 'Added',
    reserve: 'Reserved',
    settle: 'Charged (reserved before)',
    release: 'Refunded',
    expire: 'Expired',
    reverse: 'Removed (payment refunded)',
  } satisfies Record<LedgerEntry['kind'], string>,
  empty: { title: 'No credit history yet', text: 'Credits you receive and use appear here.' },
} as const;
