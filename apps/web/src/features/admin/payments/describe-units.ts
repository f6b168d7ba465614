import { countImages } from '@uprez/contracts/policy/plans/meters';
import type { AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatList } from '@uprez/contracts/texts/format';
import { paymentMessages } from './messages.ts';

const text = paymentMessages.transactions;

/** Describes the credits that a payment added and those taken back, one line each. Empty without credits. */
export function describeUnits(units: AdminTransaction['units']): string[] {
  const list = (which: 'given' | 'reversed') =>
    formatList(units.filter((row) => row[which] > 0).map((row) => countImages(row[which], row.meter)));
  const [given, reversed] = [list('given'), list('reversed')];
  return [...(given ? [text.given(given)] : []), ...(reversed ? [text.reversed(reversed)] : [])];
}
