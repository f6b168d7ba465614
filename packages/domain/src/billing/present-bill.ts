import type { Bill } from '@uprez/contracts/schemas/billing/billing';
import type { Invoice } from '@uprez/payments/invoices';

/** A bill as its customer sees it. Cents. */
export const presentBill = ({ lines, subtotal, discount, tax, total, due, currency }: Invoice): Bill => ({
  lines: lines.map(({ description, amount }) => ({ description: description ?? '', amount })),
  ...{ subtotal, discount, tax, total, due, currency },
});
