import type { FastifyInstance } from 'fastify';
import type { Invoice } from '../billing/make-invoice.ts';
import type { Context } from '../context.ts';
import { missingResourceError } from '../stripe-error.ts';

/** Adds the PDFs of finalized invoices. As with Stripe, their URLs don't require a key. */
export function registerInvoicePdf(app: FastifyInstance, { store }: Context): void {
  app.get<{ Params: { id: string } }>('/invoices/:id/pdf', ({ params: { id } }, reply) => {
    const invoice = store.get('invoices', id);
    if (!invoice?.number) throw missingResourceError('invoice', { id });
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

const describeAddress = (address: Invoice['customer_address']): string[] =>
  [
    address?.line1,
    [address?.postal_code, address?.city].filter(Boolean).join(' '),
    [address?.state, address?.country].filter(Boolean).join(', '),
  ].flatMap((line) => (line ? [line] : []));

const formatCents = (cents: number) => `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;

const LINE_HEIGHT = 18;
const TOP = 780;

/** Returns a PDF with lines of text on one A4 page. Replaces characters outside Latin-1 with question marks. */
function makePdf(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${escapeText(line)}) Tj T*`).join('\n');
  const content = `BT /F1 12 Tf ${LINE_HEIGHT} TL 56 ${TOP} Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(body.length);
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}`;
  const trailer = ['trailer', `<< /Size ${count} /Root 1 0 R >>`, 'startxref', body.length, '%%EOF', ''].join('\n');
  return Buffer.from(body + table + trailer, 'latin1');
}

/**
 * Escapes text for a PDF string. Replaces characters that don't fit into one byte, because the PDF's byte offsets are
 * counted in characters.
 */
const escapeText = (text: string) => text.replaceAll(/[^\x20-\xff]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`);
