import { ledgerKindNames } from '@uprez/contracts/texts/ledger';

export const ledgerMessages = {
  caption: 'Credit history, newest first',
  time: 'Time',
  kind: 'Type',
  reason: 'Reason',
  meter: 'Images',
  units: 'Credits',
  meters: { ai: 'AI', standard: 'Standard', shared: 'Any' },
  kinds: ledgerKindNames,
  empty: { title: 'No credit history yet', text: 'Credits you receive and use appear here.' },
} as const;
