import { type Invoice, listInvoices } from '@uprez/payments/invoices';
import { listPayments, type Payment } from '@uprez/payments/payment-intents';
import { listSubscriptions, type Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { type NextAmounts, readNextAmounts } from './read-next-amounts.ts';

/** What Stripe says about a customer: the latest entries of each list. */
export type CustomerState = {
  subscriptions: Subscription[];
  invoices: Invoice[];
  payments: Payment[];
  nextAmounts: NextAmounts;
};

/** Pages of 100 entries. Older entries don't change anymore. */
const maxPages = { subscriptions: 1, invoices: 2, payments: 2 };

/** Reads a customer from Stripe, with at most 5 requests, and one for each live subscription. Throws PaymentError. */
export async function readCustomer({ payments }: Needs<'payments'>, customerId: string): Promise<CustomerState> {
  const input = { customerId };
  const subscriptions = await readPages(maxPages.subscriptions, (after) =>
    listSubscriptions(payments, { ...input, after }),
  );
  return {
    subscriptions,
    nextAmounts: await readNextAmounts({ payments }, subscriptions),
    invoices: await readPages(maxPages.invoices, (after) => listInvoices(payments, { ...input, after })),
    payments: await readPages(maxPages.payments, (after) => listPayments(payments, { ...input, after })),
  };
}

type ReadPage<Item> = (after: string | null) => Promise<{ items: Item[]; next: string | null }>;

async function readPages<Item>(max: number, read: ReadPage<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 0, after: string | null = null; page < max && (page === 0 || after); page += 1) {
    const { items: more, next }: Awaited<ReturnType<ReadPage<Item>>> = await read(after);
    items.push(...more);
    after = next;
  }
  return items;
}
