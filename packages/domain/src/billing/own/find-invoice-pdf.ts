import { AppError } from '@uprez/contracts/errors/app-error';
import { isOwnInvoice } from '@uprez/db/queries/billing/own-billing';
import { getInvoicePdfUrl } from '@uprez/payments/invoices';
import type { Needs } from '../../context.ts';
import { readStripe } from '../calls/to-billing-error.ts';

/**
 * The current URL of an invoice as PDF, at Stripe. Throws AppError `invoice_not_found`, also for drafts and for invoices of
 * other accounts.
 */
export async function findInvoicePdf(
  { db, payments }: Needs<'db' | 'payments'>,
  own: { accountId: string; id: string },
): Promise<string> {
  const url = (await isOwnInvoice(db, own)) ? await readStripe(getInvoicePdfUrl(payments, own.id)) : null;
  if (url === null) throw new AppError('invoice_not_found');
  return url;
}
