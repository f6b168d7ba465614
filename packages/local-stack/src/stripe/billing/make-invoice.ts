import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import type { Discount } from './discounts.ts';
import type { InvoiceLine } from './invoice-lines.ts';
import { applyDiscounts, applyTax, hasTaxLocation, sumDiscounts, sumTaxes } from './line-amounts.ts';
import type { Period } from './subscription-items.ts';

export type Invoice = Tables['invoices'];

interface InvoiceInput {
  customer: string;
  /** Null for one-time payments. */
  subscription: Tables['subscriptions'] | null;
  lines: readonly InvoiceLine[];
  discounts: readonly Discount[];
  reason: 'manual' | 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming';
  /** Default: a period that starts and ends now. */
  period?: Period | undefined;
  prorationDate?: number | undefined;
  /** Default: the subscription's setting. */
  collectsTax?: boolean | undefined;
}

/** Returns a draft invoice without storing it. */
export function makeInvoice(context: Context, input: InvoiceInput): Invoice {
  const now = context.now();
  const id = makeId('in');
  const customer = getRow(context, 'customers', { id: input.customer, param: 'customer' });
  const { lines, tax, ...sums } = makeAmounts(context, { ...input, id, taxed: customer });
  const { due } = splitBalance(sums.total, customer.balance);
  return fillNulls('Invoice', {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Uprez',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: tax,
    billing_reason: input.reason,
    collection_method: 'charge_automatically',
    created: now,
    currency: lines[0]?.currency ?? 'usd',
    ...customerFields(customer),
    customer_tax_ids: context.store.get('customerTaxIds', customer.id)?.taxIds ?? [],
    default_tax_rates: [],
    discounts: input.discounts.map((discount) => discount.id),
    issuer: { type: 'self' },
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    parent: makeInvoiceParent(input),
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: input.period?.end ?? now,
    period_start: input.period?.start ?? now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    ...sums,
    total_discount_amounts: input.discounts.map((discount) => ({
      amount: sumDiscountShares(lines, discount.id),
      discount: discount.id,
    })),
    total_pretax_credit_amounts: [],
  });
}

type Amounts = Pick<
  Invoice,
  'subtotal' | 'subtotal_excluding_tax' | 'total' | 'total_excluding_tax' | 'total_taxes'
> & { lines: InvoiceLine[]; tax: Invoice['automatic_tax'] };

function makeAmounts(
  context: Context,
  { id, taxed, ...input }: InvoiceInput & { id: string; taxed: Tables['customers'] },
): Amounts {
  const collectsTax = input.collectsTax ?? input.subscription?.automatic_tax.enabled ?? false;
  const isTaxed = collectsTax && hasTaxLocation(taxed);
  const discounted = applyDiscounts(context, input.lines, input.discounts).map((line) => ({ ...line, invoice: id }));
  const lines = isTaxed ? applyTax(context, discounted) : discounted;
  const total_taxes = sumTaxes(lines);
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const net = subtotal - lines.reduce((sum, line) => sum + sumDiscounts(line), 0);
  const included = sumTaxesByBehavior(total_taxes, 'inclusive');
  return {
    lines,
    tax: makeAutomaticTax({ collectsTax, isTaxed }),
    subtotal,
    subtotal_excluding_tax: subtotal - included,
    total: net + sumTaxesByBehavior(total_taxes, 'exclusive'),
    total_excluding_tax: net - included,
    total_taxes,
  };
}

const sumTaxesByBehavior = (taxes: ReturnType<typeof sumTaxes>, behavior: 'exclusive' | 'inclusive') =>
  taxes.filter((tax) => tax.tax_behavior === behavior).reduce((sum, { amount }) => sum + amount, 0);

function makeAutomaticTax({
  collectsTax,
  isTaxed,
}: Record<'collectsTax' | 'isTaxed', boolean>): Invoice['automatic_tax'] {
  const none = { disabled_reason: null, enabled: false, liability: null, provider: null, status: null } as const;
  if (!collectsTax) return none;
  const status = isTaxed ? 'complete' : 'requires_location_inputs';
  return { ...none, enabled: true, liability: { type: 'self' }, provider: 'stripe', status };
}

const customerFields = (customer: Tables['customers']) => ({
  custom_fields: customer.invoice_settings.custom_fields ?? null,
  customer: customer.id,
  customer_address: customer.address ?? null,
  customer_email: customer.email,
  customer_name: customer.name ?? null,
  customer_phone: customer.phone ?? null,
  customer_tax_exempt: customer.tax_exempt ?? ('none' as const),
  starting_balance: customer.balance,
  test_clock: idOf(customer.test_clock),
});

const sumDiscountShares = (lines: readonly InvoiceLine[], discount: string) =>
  lines
    .flatMap(({ discount_amounts: amounts }) => amounts ?? [])
    .filter((share) => share.discount === discount)
    .reduce((sum, { amount }) => sum + amount, 0);

const makeInvoiceParent = ({ subscription, prorationDate }: InvoiceInput): Invoice['parent'] =>
  subscription && {
    type: 'subscription_details',
    quote_details: null,
    subscription_details: {
      metadata: subscription.metadata,
      subscription: subscription.id,
      ...(prorationDate !== undefined && { subscription_proration_date: prorationDate }),
    },
  };

/** Stripe adds smaller amounts to the customer's balance instead of charging them. */
const MIN_CHARGE_CENTS = 50;

/**
 * Applies a customer's balance to an invoice total. Returns the amount due and the remaining balance, in cents. A
 * negative balance is credit for the customer. A negative total is added to this credit.
 */
export function splitBalance(total: number, balance = 0): { due: number; balance: number } {
  const due = total + balance;
  if (due < MIN_CHARGE_CENTS) return { due: 0, balance: due };
  return { due, balance: 0 };
}

/** Adds `cents` to a customer's balance. No-op if the customer doesn't exist. */
export function addToBalance({ store, emit }: Context, id: string, cents: number): void {
  const customer = store.get('customers', id);
  if (!customer || cents === 0) return;
  const changed = store.put('customers', { ...customer, balance: (customer.balance ?? 0) + cents });
  emit('customer.updated', changed, { balance: customer.balance });
}
