import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Delivery } from '../state/tables.ts';
import { timeOf } from '../time/test-clocks.ts';
import { DRAFT_SECONDS } from './draft-renewal.ts';

/** How long the invoice of a renewal stays a draft if an endpoint doesn't confirm its event. */
const LONGEST_SECONDS = 72 * 3600;

interface Announced {
  /** ID of the draft. */
  invoice: string;
  /** ID of the event that announced it. */
  event: string;
}

/** Stores when a draft is finalized: later while an endpoint fails, and some time after the last endpoint confirmed it. */
export function delayDraft(context: Context, { invoice: id, event }: Announced): void {
  const { store } = context;
  const invoice = store.get('invoices', id);
  if (invoice?.status !== 'draft' || !invoice.automatically_finalizes_at) return;
  const latest = invoice.created + LONGEST_SECONDS;
  const isUnconfirmed = store.list('deliveries').some((delivery) => delivery.event === event && isFailing(delivery));
  const isDelayed = invoice.automatically_finalizes_at === latest;
  if (isUnconfirmed === isDelayed) return;
  const confirmed = timeOf(context, idOf(invoice.customer)) + DRAFT_SECONDS;
  const finalizes = isUnconfirmed ? latest : Math.min(latest, confirmed);
  store.put('invoices', { ...invoice, automatically_finalizes_at: finalizes, next_payment_attempt: finalizes });
}

const isFailing = ({ status, attempts }: Delivery) => status === 'failed' || (status === 'pending' && attempts > 0);
