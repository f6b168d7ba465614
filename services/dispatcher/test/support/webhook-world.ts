import { randomUUID } from 'node:crypto';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { EventType } from '@uprez/contracts/schemas/webhook-events';
import { insertEvent } from '@uprez/db/queries/webhooks/events';
import type { Actor } from '@uprez/domain/actor';
import type { Needs } from '@uprez/domain/context';
import { hasFeed } from '@uprez/domain/events/record-event';
import { releaseEvents } from '@uprez/domain/feed/release-events';
import { createWebhook } from '@uprez/domain/webhooks/change-webhook';
import { openWebhookPoster, sendNextDelivery } from '@uprez/domain/webhooks/send-next-delivery';
import { makeUser } from '@uprez/testing/make-user';
import type { TestContext } from '@uprez/testing/open-test-context';
import type { Receiver } from './open-receiver.ts';

export const publicUrl = 'https://images.example';

/** Returns the context of a sender, with the receiver's network. */
export const senderOf = (
  { close: _close, ...ctx }: TestContext,
  { network }: Pick<Receiver, 'network'>,
  db = ctx.db,
) => ({
  ...ctx,
  db,
  network,
  config: { PUBLIC_URL: publicUrl },
});
export type Sender = ReturnType<typeof senderOf>;

/** Creates an account with an endpoint at a host of the receiver. */
export async function makeEndpoint(
  sender: Needs<'db' | 'vault' | 'network'>,
  name: string,
  more: { tier?: Tier; owner?: Actor; events?: EventType[]; sandbox?: boolean } = {},
) {
  const { tier = 'api_pro', events = [], sandbox = false } = more;
  const owner = more.owner ?? (await makeUser(sender.db, tier));
  const url = `https://${name}.images.example/hook`;
  return { owner, ...(await createWebhook(sender, { actor: owner, url, description: '', events, sandbox })) };
}

/** Writes events of an account with their deliveries, and returns their IDs. */
export async function makeEvents({ db }: Pick<Sender, 'db'>, { accountId }: Actor, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const data = { meter: 'shared', share: 80, included: 100, left: 20, resets_at: '2026-12-01T00:00:00.000Z' };
  for (const id of ids)
    await insertEvent(db, { id, accountId, type: 'quota.warning', isSandbox: false, data }, hasFeed);
  while ((await releaseEvents({ db }, accountId)) > 0);
  return ids;
}

/** Returns all deliveries of an endpoint, oldest first. */
export const readDeliveries = ({ db }: Pick<Sender, 'db'>, endpoint: { id: string }) =>
  db.selectFrom('webhookDeliveries').selectAll().where('endpointId', '=', endpoint.id).orderBy('id').execute();

export const readEndpoint = ({ db }: Pick<Sender, 'db'>, { id }: { id: string }) =>
  db.selectFrom('webhookEndpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Returns the emails about an account. */
export async function readMails({ db }: Pick<Sender, 'db'>, { accountId }: Actor) {
  const rows = await db.selectFrom('outbox').select('payload').where('userId', '=', accountId).orderBy('id').execute();
  return rows.map(({ payload }) => payload);
}

/** Makes the attempts of an endpoint that are due. */
export async function attempt(by: Sender, endpoint: { id: string }): Promise<void> {
  const poster = openWebhookPoster(by, 1);
  const signal = new AbortController().signal;
  while (await sendNextDelivery(by, { destination: endpoint.id, poster, publicUrl, signal }));
  await poster.close();
}

/** Makes the next attempts of an endpoint due. */
export const makeDue = ({ db }: Pick<Sender, 'db'>, { id }: { id: string }) =>
  db
    .updateTable('webhookDeliveries')
    .set({ nextAt: new Date(0) })
    .where('endpointId', '=', id)
    .execute();
