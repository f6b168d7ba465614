import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { countImages } from '@uprez/contracts/policy/plans/meters';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Invoice } from '@uprez/contracts/schemas/billing/billing';
import { intervalTexts } from '@uprez/contracts/texts/plans';
import { isOwnInvoice, listOwnInvoices, type OwnInvoice } from '@uprez/db/queries/billing/own-billing';
import { getInvoicePdfUrl } from '@uprez/payments/invoices';
import type { Needs } from '../../context.ts';
import { readStripe } from '../calls/stripe-errors.ts';

type Query = { accountId: string; cursor?: string | undefined };

/** Returns one page of an account's invoices, newest first. */
export async function listInvoices(
  { db }: Needs<'db'>,
  { accountId, cursor }: Query,
): Promise<{ invoices: Invoice[]; cursor: string | null }> {
  const limit = limits.pageRows;
  const rows = await listOwnInvoices(db, { accountId, before: cursor, limit: limit + 1 });
  const invoices = rows.slice(0, limit).map(presentInvoice);
  return { invoices, cursor: (rows.length > limit && invoices.at(-1)?.id) || null };
}

/** Returns all invoices of an account, newest first. */
export const listAllInvoices = async ({ db }: Needs<'db'>, accountId: string): Promise<Invoice[]> =>
  (await listOwnInvoices(db, { accountId })).map(presentInvoice);

const presentInvoice = (row: OwnInvoice): Invoice => {
  const { id, number, status, subtotal, discount, tax, total, paid, refunded, currency } = row;
  return {
    ...{ id, number, status, subtotal, discount, tax, total, paid, refunded, currency },
    createdAt: row.createdAt.toISOString(),
    description: describeInvoice(row),
  };
};

/**
 * Returns the description of an invoice, such as `Pro plan, monthly` or `Pack of 50 images`. For anything else, returns
 * Stripe's own description.
 */
function describeInvoice({ tier, interval, reason, lineDescription, packUnits, packMeter }: OwnInvoice): string {
  if (packUnits !== null && packMeter) return `Pack of ${countImages(packUnits, packMeter)}`;
  if (!tier || !interval) return lineDescription ?? 'Invoice';
  const plan = `${currentPlans[tier].name} plan, ${interval === 'once' ? 'once' : intervalTexts[interval].adverb}`;
  return reason === 'subscription_update' ? `Change to ${plan}` : plan;
}

/**
 * Returns the current URL of an invoice's PDF at Stripe. Throws AppError `invoice_not_found`, also for drafts and for
 * other accounts' invoices.
 */
export async function findInvoicePdf(
  { db, payments }: Needs<'db' | 'payments'>,
  own: { accountId: string; id: string },
): Promise<string> {
  const url = (await isOwnInvoice(db, own)) ? await readStripe(getInvoicePdfUrl(payments, own.id)) : null;
  if (url === null) throw new AppError('invoice_not_found');
  return url;
}
