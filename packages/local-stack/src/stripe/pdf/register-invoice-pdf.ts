import type { FastifyInstance } from 'fastify';
import type { Invoice } from '../billing/make-invoice.ts';
import type { Context } from '../context.ts';
import { resourceMissing } from '../stripe-error.ts';
import { makePdf } from './make-pdf.ts';

/** Adds the PDF of finalized invoices. Like Stripe's, its URL needs no key. */
export function registerInvoicePdf(app: FastifyInstance, { store }: Context): void {
  app.get<{ Params: { id: string } }>('/invoices/:id/pdf', ({ params: { id } }, reply) => {
    const invoice = store.get('invoices', id);
    if (!invoice?.number) throw resourceMissing('invoice', { id });
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="Invoice-${invoice.number}.pdf"`)
      .send(makePdf(describeInvoice(invoice)));
  });
}

function describeInvoice(invoice: Invoice): string[] {
  const tax = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  return [
    'Local test mode: no real money',
    '',
    `Invoice ${invoice.number}`,
    `Date: ${new Date(invoice.created * 1_000).toISOString().slice(0, 10)}`,
    `Bill to: ${invoice.customer_name || invoice.customer_email || ''}`,
    ...describeAddress(invoice.customer_address),
    ...(invoice.custom_fields ?? []).map(({ name, value }) => `${name}: ${value}`),
    ...(invoice.customer_tax_ids ?? []).map(({ value }) => `Tax ID: ${value}`),
    '',
    ...invoice.lines.data.map(({ description, amount }) => `${description}: ${formatCents(amount)}`),
    `Subtotal: ${formatCents(invoice.subtotal)}`,
    ...(discount > 0 ? [`Discount: ${formatCents(-discount)}`] : []),
    ...(tax === 0 ? [] : [`Tax: ${formatCents(tax)}`]),
    `Total: ${formatCents(invoice.total)}`,
    `Amount due: ${formatCents(invoice.amount_due)}`,
    `Status: ${invoice.status}`,
  ];
}

/** The lines of an address that are filled in. */
const describeAddress = (address: Invoice['customer_address']): string[] =>
  [
    address?.line1,
    [address?.postal_code, address?.city].filter(Boolean).join(' '),
    [address?.state, address?.country].filter(Boolean).join(', '),
  ].flatMap((line) => (line ? [line] : []));

const formatCents = (cents: number) => `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
