import type { DisabledReason } from '@uprez/contracts/schemas/webhook-events';
import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import type { DbOrTx, Tables, Tx } from '../../database.ts';
import type { WebhookEndpointsTable } from '../../tables/webhook-tables.ts';
import { afterSeconds, now } from '../../times.ts';

export type EndpointRow = Selectable<WebhookEndpointsTable>;

/** Inserts an endpoint. Does nothing if it is the account's endpoint for single jobs and already exists. */
export const insertEndpoint = (tx: DbOrTx, row: Insertable<WebhookEndpointsTable>) =>
  tx
    .insertInto('webhookEndpoints')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/**
 * Identifies an account's endpoint, either by ID or as the endpoint that represents the webhook URLs of single jobs.
 */
export type EndpointSelector = { accountId: string } & ({ id: string } | { jobsOfSandbox: boolean });

const selectEndpoint = (db: DbOrTx, name: EndpointSelector) => {
  const own = db.selectFrom('webhookEndpoints').selectAll().where('accountId', '=', name.accountId);
  if ('id' in name) return own.where('id', '=', name.id);
  return own.where('kind', '=', 'jobs').where('isSandbox', '=', name.jobsOfSandbox);
};

export const findEndpoint = (db: DbOrTx, name: EndpointSelector): Promise<EndpointRow | undefined> =>
  selectEndpoint(db, name).executeTakeFirst();

export const lockEndpoint = (tx: Tx, name: EndpointSelector): Promise<EndpointRow | undefined> =>
  selectEndpoint(tx, name).forUpdate().executeTakeFirst();

const selectEndpoints = (db: DbOrTx, accountId: string) =>
  db
    .selectFrom('webhookEndpoints')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc');

export const listEndpoints = (db: DbOrTx, accountId: string): Promise<EndpointRow[]> =>
  selectEndpoints(db, accountId).execute();

/** Locks an account's endpoints against deletion. They can still be changed. */
export const lockEndpoints = (tx: Tx, accountId: string): Promise<EndpointRow[]> =>
  selectEndpoints(tx, accountId).forKeyShare().execute();

export const changeEndpoint = (tx: DbOrTx, id: string, changes: UpdateObject<Tables, 'webhookEndpoints'>) =>
  tx.updateTable('webhookEndpoints').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

/** Replaces the secret of an endpoint. For `overlapS` seconds, the former secret also signs deliveries. */
export const replaceEndpointSecret = (
  tx: Tx,
  { id, secret }: EndpointRow,
  next: { secret: string; overlapS: number },
) =>
  changeEndpoint(tx, id, {
    secret: next.secret,
    formerSecret: next.overlapS > 0 ? secret : null,
    formerUntil: next.overlapS > 0 ? afterSeconds(next.overlapS) : null,
  });

export const deleteEndpoint = (tx: DbOrTx, id: string) =>
  tx.deleteFrom('webhookEndpoints').where('id', '=', id).execute();

/** Disables an endpoint and fails its pending deliveries. */
export async function disableEndpoint(tx: Tx, id: string, reason: DisabledReason): Promise<EndpointRow> {
  const off = await changeEndpoint(tx, id, { isActive: false, disabledReason: reason, disabledAt: now });
  await tx
    .updateTable('webhookDeliveries')
    .set({ status: 'failed', error: 'disabled' })
    .where('endpointId', '=', id)
    .where('status', '=', 'pending')
    .execute();
  return off;
}

/**
 * Minimum interval between recorded successes, in seconds. Without it, concurrent deliveries to an endpoint would wait
 * for each other's updates.
 */
export const successIntervalS = 10;

export const recordEndpointSuccess = (tx: DbOrTx, id: string) =>
  tx
    .updateTable('webhookEndpoints')
    .set({ failingSince: null, lastDeliveredAt: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('failingSince', 'is not', null),
        eb('lastDeliveredAt', 'is', null),
        eb('lastDeliveredAt', '<', afterSeconds(-successIntervalS)),
      ]),
    )
    .execute();

/**
 * Records a failed attempt. Returns true if the owner must be notified: the previous attempt didn't fail, and the owner
 * wasn't notified of failures in the last day.
 */
export async function recordEndpointFailure(tx: Tx, id: string): Promise<boolean> {
  await tx
    .updateTable('webhookEndpoints')
    .set({ failingSince: sql`coalesce(failing_since, now())` })
    .where('id', '=', id)
    .execute();
  const told = await tx
    .updateTable('webhookEndpoints')
    .set({ toldAt: now })
    .where('id', '=', id)
    .where('failingSince', '=', now)
    .where((eb) => eb.or([eb('toldAt', 'is', null), eb('toldAt', '<', afterSeconds(-86_400))]))
    .returning('id')
    .executeTakeFirst();
  return told !== undefined;
}

/**
 * How long an endpoint must have been failing to be counted, in seconds. Shorter failures are common, because a later
 * attempt often succeeds.
 */
const failingAfterS = 3_600;
const disabledWindowS = 7 * 86_400;

const isFailing = sql<boolean>`(is_active and failing_since < now() - make_interval(secs => ${failingAfterS}))`;
const wasDisabled = sql<boolean>`(not is_active and disabled_reason in ('gone', 'failing')
  and disabled_at > now() - make_interval(secs => ${disabledWindowS}))`;
const isCounted = sql<boolean>`kind = 'endpoint' and not is_sandbox`;

type FailingEndpoints = { failing: number; disabled: number };

/** Counts endpoints that have been failing for an hour, and those disabled in the last week because deliveries failed. */
export async function countFailingEndpoints(db: DbOrTx): Promise<FailingEndpoints> {
  const { rows } = await sql<FailingEndpoints>`
    select count(*) filter (where ${isFailing}) as failing, count(*) filter (where ${wasDisabled}) as disabled
    from webhook_endpoints where ${isCounted}`.execute(db);
  return rows[0] ?? { failing: 0, disabled: 0 };
}

/** Whether a row of `users` has an endpoint that `countFailingEndpoints` counts. */
export const hasFailingEndpoint = sql<boolean>`exists (
  select from webhook_endpoints where account_id = users.id and ${isCounted} and (${isFailing} or ${wasDisabled}))`;
