/** Fields of Stripe's objects that hold Unix times. */
const timeFields = new Set([
  'automatically_finalizes_at',
  'billing_cycle_anchor',
  'cancel_at',
  'canceled_at',
  'created',
  'due_by',
  'current_period_end',
  'current_period_start',
  'effective_at',
  'end',
  'end_date',
  'ended_at',
  'expires_at',
  'finalized_at',
  'next_payment_attempt',
  'paid_at',
  'period_end',
  'period_start',
  'released_at',
  'resumes_at',
  'start',
  'start_date',
  'subscription_proration_date',
  'updated_at',
  'voided_at',
]);

/** Objects of the catalog, which all customers share. */
const shared = new Set(['plan', 'price']);

/** Returns a copy of an object in which all times are earlier. */
export function moveTimes<T extends object>(object: T, seconds: number): T {
  const copy = structuredClone(object);
  moveWithin(copy, seconds);
  return copy;
}

function moveWithin(object: object, seconds: number): void {
  for (const [key, value] of Object.entries(object))
    if (typeof value === 'number' && timeFields.has(key)) Reflect.set(object, key, value - seconds);
    else if (typeof value === 'object' && value !== null && !shared.has(key)) moveWithin(value, seconds);
}
