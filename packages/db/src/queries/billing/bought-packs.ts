import type { Meter } from '@uprez/contracts/policy/plans/meters';
import { sql } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import { prepareQuery } from '../../prepare-query.ts';
import { reversedUnits } from '../usage/allowances.ts';

export type BoughtPack = { paymentId: string; callId: string; units: number; meter: Meter };

/** Lists the packs that an account bought with these payments, with their units at the time of purchase. */
export async function listBoughtPacks(
  db: DbOrTx,
  accountId: string,
  payments: readonly { id: string; callId: string | null }[],
): Promise<BoughtPack[]> {
  // Ignores call IDs that aren't UUIDs, because metadata may have been changed at Stripe.
  const known = payments.filter(({ callId }) => /^[0-9a-f-]{36}$/.test(callId ?? ''));
  if (known.length === 0) return [];
  const { rows } = await sql<BoughtPack>`
    select paid.id as "paymentId", call.id as "callId", price.pack_units as units, price.pack_meter as meter
    from unnest(${known.map(({ id }) => id)}::text[], ${known.map(({ callId }) => callId)}::uuid[]) as paid (id, call_id)
    join billing_calls call on call.id = paid.call_id and call.kind = 'pack' and call.account_id = ${accountId}
    join prices price on price.id = call.request ->> 'priceId' and price.pack is not null`.execute(db);
  return rows;
}

export type OwnPack = {
  units: number;
  left: number;
  reversed: number;
  meter: Meter;
  boughtAt: Date;
  checkout: string | null;
};
const maxOwnPacks = 20;

const selectOwnPacks = prepareQuery((db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('allowances')
    .leftJoin('billingCalls as call', (join) =>
      join
        .onRef('call.accountId', '=', 'allowances.accountId')
        .on('call.kind', '=', 'pack')
        .on(sql`call.stripe_ids ->> 'paymentId'`, '=', sql.ref('allowances.ref')),
    )
    .select([
      'allowances.units',
      'allowances.unitsLeft as left',
      'allowances.meter',
      'allowances.createdAt as boughtAt',
    ])
    .select(reversedUnits.as('reversed'))
    .select(sql<string | null>`call.stripe_ids ->> 'sessionId'`.as('checkout'))
    .where('allowances.accountId', '=', accountId)
    // A literal, because a prepared statement is planned without its parameters. With a parameter, the planner couldn't
    // use the partial index of packs.
    .where('allowances.source', '=', sql.lit('pack'))
    .orderBy('allowances.createdAt', 'desc')
    .limit(maxOwnPacks),
);

/**
 * Lists the latest packs of an account, newest first. `checkout`: ID of the Checkout session in which the pack was
 * bought.
 */
export const listOwnPacks = (db: DbOrTx, accountId: string): Promise<OwnPack[]> => selectOwnPacks(db, { accountId });

/** Lists paid packs for which no units or a wrong number of units was granted, and pack units without a payment. */
export async function listPackErrors(db: DbOrTx): Promise<{ subject: string; error: string }[]> {
  const { rows } = await sql<{ subject: string; error: string }>`
    select 'payment ' || payments.id as subject, format('a pack of %s units, but %s were given', packs.units, given.units) as error
    from billing_calls call
    join payments on payments.id = call.stripe_ids ->> 'paymentId' and payments.status = 'succeeded'
    cross join lateral (select pack_units as units from prices where id = call.request ->> 'priceId') packs
    cross join lateral (
      select coalesce(sum(units), 0) as units from allowances where source = 'pack' and ref = payments.id
    ) given
    where call.kind = 'pack' and call.account_id is not null and packs.units <> given.units
    union all
    select 'allowance ' || allowances.id, 'a pack without a payment' from allowances
    where source = 'pack' and not exists (select from payments where payments.id = ref and status = 'succeeded')`.execute(
    db,
  );
  return rows;
}
