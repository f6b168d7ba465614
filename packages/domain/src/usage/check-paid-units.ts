import type { Meter } from '@uprez/contracts/policy/meters';
import { planOf } from '@uprez/contracts/policy/plan-versions';
import type { LedgerError } from '@uprez/db/queries/usage/ledger';
import {
  listPaidLines,
  listPaidUnits,
  listReverseErrors,
  type PaidLine,
  type PaidUnits,
} from '@uprez/db/queries/usage/paid-units';
import type { Needs } from '../context.ts';

/** Compares units with what was paid for them: lines of invoices with allowances, and refunds with the units taken back. */
export async function checkPaidUnits({ db }: Needs<'db'>): Promise<LedgerError[]> {
  const units = (await listPaidUnits(db)).map((row) => ({ subject: `allowance ${row.id}`, error: checkUnits(row) }));
  const lines = (await listPaidLines(db)).map((line) => ({
    subject: `invoice ${line.invoiceId}`,
    error: checkLine(line),
  }));
  const found = [...units, ...lines].filter((row): row is LedgerError => row.error !== undefined);
  return [...found, ...(await listReverseErrors(db))];
}

const months = { month: 1, year: 12 };

function checkUnits({ tier, meter, units, cycle, status, interval, planVersion, isCurrent }: PaidUnits) {
  if (status === null) return 'the invoice that pays it is missing';
  if (interval && cycle >= months[interval]) return `has month ${cycle + 1} of a plan that is paid by the ${interval}`;
  // The price of the subscription has changed since.
  if (planVersion === null) return undefined;
  const { version, ...plan } = planOf({ tier, planVersion });
  if (version !== planVersion) return `was bought as version ${planVersion} of the plan, which isn't listed`;
  const included: Partial<Record<Meter, number>> = plan.included;
  const all = included[meter] ?? 0;
  if (units > all) return `has ${units} units, the plan has ${all}`;
  if (isCurrent && units < all) return `is paid and has ${units} of ${all} units`;
  return undefined;
}

function checkLine({ meters, ...account }: PaidLine) {
  const missing = Object.keys(planOf(account).included).filter((meter) => !meters.some((granted) => granted === meter));
  return missing.length > 0 ? `is paid, but gave no units for ${missing.join(' and ')}` : undefined;
}
