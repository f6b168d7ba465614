import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import { purchaseRules } from '@uprez/domain/billing/purchases/purchase-kind';
import { readCustomer } from '@uprez/domain/billing/sync/read-customer';
import { toRows } from '@uprez/domain/billing/sync/to-rows';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Life, Person } from './open-life.ts';

/** What is compared with Stripe. */
type Checked = Pick<Life, 'db' | 'payments'>;

const paidStatuses = ['active', 'past_due', 'canceled', 'unpaid'];
const toValue = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null));

/** Compares all rows of a customer with what Stripe says. */
export async function checkSync(life: Checked, customerId: string): Promise<void> {
  const told = toRows(customerId, await readCustomer(life, customerId));
  for (const table of ['subscriptions', 'invoices', 'payments'] as const) {
    const stored = await life.db.selectFrom(table).selectAll().where('customerId', '=', customerId).execute();
    compare(table, told[table], stored);
  }
  const ids = told.payments.map(({ id }) => id);
  if (ids.length > 0)
    compare(
      'refunds',
      told.refunds,
      await life.db.selectFrom('refunds').selectAll().where('paymentId', 'in', ids).execute(),
    );
}

function compare(table: string, told: readonly { id: string }[], stored: readonly { id: string }[]): void {
  expect(stored.map(({ id }) => id).toSorted(), table).toEqual(told.map(({ id }) => id).toSorted());
  for (const row of told) {
    const own = stored.find(({ id }) => id === row.id);
    const names = Object.keys(row);
    const values = (from: object | undefined) => names.map((name) => [name, toValue(Reflect.get(from ?? {}, name))]);
    expect(Object.fromEntries(values(own)), `${table} ${row.id}`).toEqual(Object.fromEntries(values(row)));
  }
}

/** An account has one subscription at a time, each period of it is paid once, and each bill once. */
export async function checkCharges(life: Checked, customerId: string): Promise<void> {
  const { subscriptions, invoices, payments } = await readCustomer(life, customerId);
  const started = subscriptions
    .filter(({ status }) => paidStatuses.includes(status))
    .map(({ id, createdAt, endedAt }) => ({ id, from: Number(createdAt), until: endedAt ? Number(endedAt) : Infinity }))
    .toSorted((one, other) => one.from - other.from);
  for (const [number, { from }] of started.entries())
    if (number > 0) expect(from).toBeGreaterThanOrEqual(started[number - 1]?.until ?? 0);
  const paid = invoices.filter(({ status }) => status === 'paid');
  const periods = paid.flatMap(({ subscriptionId, lines }) =>
    lines
      .filter(({ amount }) => amount > 0)
      .map(({ period }) => ({ subscriptionId, from: Number(period.start), until: Number(period.end) })),
  );
  const credits = paid.flatMap(({ subscriptionId, lines }) =>
    lines
      .filter(({ amount }) => amount <= 0)
      .map(({ period }) => ({ subscriptionId, from: Number(period.start), until: Number(period.end) })),
  );
  for (const [number, one] of periods.entries())
    for (const other of periods.slice(number + 1)) {
      const [from, until] = [Math.max(one.from, other.from), Math.min(one.until, other.until)];
      if (one.subscriptionId !== other.subscriptionId || from >= until) continue;
      // What overlaps was credited by the change of the plan.
      const isCredited = credits.some((credit) => credit.from <= from && credit.until >= until);
      expect(isCredited, `${one.subscriptionId} paid twice from ${new Date(from).toISOString()}`).toBe(true);
    }
  for (const { id, paid: cents, paymentIntentIds } of invoices) {
    const received = payments.filter((payment) => paymentIntentIds.includes(payment.id) && payment.received > 0);
    expect(received.length, id).toBeLessThanOrEqual(1);
    for (const payment of received) expect([id, payment.received]).toEqual([id, cents]);
  }
  const billed = new Set(invoices.flatMap(({ paymentIntentIds }) => paymentIntentIds));
  for (const { id, received, refunded } of payments) {
    if (received > 0) expect(billed, id).toContain(id);
    expect(refunded).toBeLessThanOrEqual(received);
  }
}

/** The tier follows what is paid at Stripe. */
export async function checkPlan(life: Life, { accountId }: Person, customerId: string | undefined): Promise<void> {
  const { subscriptions, invoices } = customerId
    ? await readCustomer(life, customerId)
    : { subscriptions: [], invoices: [] };
  const { tier } = await life.db
    .selectFrom('users')
    .select('tier')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const live = subscriptions.filter(({ status }) => status === 'active' || status === 'past_due');
  if (live.length === 0) expect(tier).toBe('free');
  for (const { id, price, isPaused } of live) {
    const latest = invoices.find(({ subscriptionId }) => subscriptionId === id);
    const isPaid = latest?.status === 'paid' && latest.paid > 0;
    const refunded = await life.db
      .selectFrom('invoices')
      .select('refunded')
      .where('id', '=', latest?.id ?? '')
      .executeTakeFirst();
    if (isPaid && !isPaused && refunded?.refunded === 0 && price.tier) expect(tier, id).toBe(price.tier);
  }
}

/** Every unit of a paid plan belongs to a line that was paid, each month of it once, or to a renewal that is collected. */
export async function checkAllowances({ db }: Life): Promise<void> {
  const { rows } = await sql<{
    id: string;
    tier: Tier;
    meter: string;
    units: number;
    ref: string | null;
    cycle: number | null;
    status: string | null;
    isOpen: boolean;
    paidTier: string | null;
    interval: string | null;
    count: number;
  }>`
    select allowances.id, allowances.tier, allowances.meter, allowances.units, allowances.ref, allowances.cycle, invoices.status, allowances.closed_at is null as "isOpen", sold.tier as "paidTier", sold.interval,
      (count(*) over (partition by allowances.account_id, allowances.ref, allowances.cycle, allowances.meter, allowances.tier))::integer as count
    from allowances
    left join invoices on invoices.id = allowances.ref
    left join lateral (
      select prices.tier, prices.interval from invoice_lines join prices on prices.id = invoice_lines.price_id
      where invoice_id = invoices.id and invoice_lines.amount > 0 limit 1
    ) sold on true
    where allowances.source = 'plan' and allowances.tier <> 'free'`.execute(db);
  for (const row of rows) {
    const included = currentPlans[row.tier].included as Record<string, number>;
    const all = included[row.meter] ?? 0;
    if (row.ref === null) {
      // The renewal wasn't known yet.
      expect(row.units).toBe(Math.ceil(all / 4));
      continue;
    }
    expect(row, 'paid by').toMatchObject({ paidTier: row.tier, count: 1 });
    // A renewal that is paid after its period gives no more units.
    if (row.status === 'paid' && row.isOpen) expect(row.units).toBe(all);
    else if (row.status === 'paid') expect([all, Math.ceil(all / 4)]).toContain(row.units);
    else expect(row.units).toBe(Math.ceil(all / 4));
    expect(row.cycle ?? 0).toBeLessThan(row.interval === 'year' ? 12 : 1);
  }
}

/**
 * A subscription that was paid has a discount exactly if a code was redeemed for it, and each reserved use has a change or a
 * purchase that waits.
 */
export async function checkCodes(life: Life, { accountId }: Person, customerId: string): Promise<void> {
  const uses = await life.db
    .selectFrom('couponRedemptions')
    .select(['subscriptionId', 'redeemedAt'])
    .where('accountId', '=', accountId)
    .where('releasedAt', 'is', null)
    .execute();
  const { subscriptions } = await readCustomer(life, customerId);
  for (const { id, discounts } of subscriptions.filter(({ status }) => paidStatuses.includes(status)))
    expect(discounts, id).toHaveLength(uses.filter(({ subscriptionId }) => subscriptionId === id).length);
  const purchases = await life.db
    .selectFrom('billingCalls')
    .select('id')
    .where('accountId', '=', accountId)
    .where('slot', '=', purchaseRules.slot)
    .where('state', '=', 'open')
    .execute();
  const waiting = subscriptions.filter(({ pending }) => pending !== null).length + purchases.length;
  expect(uses.filter(({ redeemedAt }) => redeemedAt === null).length).toBeLessThanOrEqual(waiting);
}

/** Every payment of a pack gave its units once, and a full refund took back what was left of them. */
export async function checkPacks(life: Life, { accountId }: Person, customerId: string): Promise<void> {
  const purchases = await life.db
    .selectFrom('billingCalls')
    .select('id')
    .where('accountId', '=', accountId)
    .where('kind', '=', 'pack')
    .execute();
  const calls = new Set(purchases.map(({ id }) => id));
  const { payments } = await readCustomer(life, customerId);
  const paid = payments.filter(({ callId, received }) => callId !== null && calls.has(callId) && received > 0);
  const given = await life.db
    .selectFrom('allowances')
    .select(['ref', 'units', 'unitsLeft'])
    .where('accountId', '=', accountId)
    .where('source', '=', 'pack')
    .execute();
  expect(given.map(({ ref }) => ref).toSorted()).toEqual(paid.map(({ id }) => id).toSorted());
  for (const { id, received, refunded } of paid) {
    const pack = given.find(({ ref }) => ref === id);
    expect([id, received, pack?.units]).toEqual([id, life.pack.amount, life.pack.units]);
    if (refunded === received) expect([id, pack?.unitsLeft]).toEqual([id, 0]);
  }
}
