import { AppError } from '@uprez/contracts/errors/app-error';
import type { Interests, Topic } from '@uprez/contracts/policy/newsletter';
import type { Subscription } from '@uprez/contracts/schemas/newsletter/subscribers';
import type { Tx } from '@uprez/db/database';
import {
  findSubscriber,
  lockByToken,
  lockSubscriber,
  type SubscriberChanges,
  type SubscriberRow,
  updateSubscriber,
} from '@uprez/db/queries/newsletter/subscribers';
import { now } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { hashLinkToken } from '../../mails/account-token.ts';
import { addInterests, normalize } from './interests.ts';
import { makeSubscriberToken, readSubscriberToken } from './link-token.ts';

const present = ({ email, topics, services }: SubscriberRow): Subscription => ({ email, topics, services });

/** Clears interests that await confirmation. */
const noPendingInterests = { wantedTopics: [], wantedServices: [], tokenHash: null, expiresAt: null, askedAt: [] };

/**
 * Changes that end a subscription. Only the email address is kept, so that it gets no emails without a new
 * confirmation.
 */
const unsubscribedChanges: SubscriberChanges = {
  ...{ state: 'unsubscribed', topics: [], services: [], source: null, confirmedAt: null, endedAt: now },
  ...noPendingInterests,
};

/** Confirms a subscription, once. Throws `invalid_token` for a link that expired, was used, or was never sent. */
export const confirmSubscription = (
  ctx: Needs<'db' | 'vault'>,
  token: string,
): Promise<Subscription & { token: string }> =>
  ctx.db.transaction().execute(async (tx) => {
    const held = await lockByToken(tx, hashLinkToken(token));
    if (!held) throw new AppError('invalid_token');
    const wanted = { topics: held.wantedTopics, services: held.wantedServices };
    const confirmed = await updateSubscriber(tx, held.id, {
      ...noPendingInterests,
      ...addInterests(held, wanted),
      ...{ state: 'confirmed', confirmedAt: now, endedAt: null },
    });
    return { ...present(confirmed), token: makeSubscriberToken(ctx, held.id) };
  });

/** Returns the subscription of a link's owner. Throws `invalid_token`. */
export async function getNewsletterSubscription(ctx: Needs<'db' | 'vault'>, token: string): Promise<Subscription> {
  const id = readSubscriberToken(ctx, token);
  const found = id === undefined ? undefined : await findSubscriber(ctx.db, id);
  if (!found) throw new AppError('invalid_token');
  return present(found);
}

/** Changes the subscription of a link's owner. No topics means unsubscribing. Throws `invalid_token`. */
export const updateSubscription = (
  ctx: Needs<'db' | 'vault'>,
  { token, ...interests }: Interests & { token: string },
): Promise<Subscription> =>
  change(ctx, token, (tx, held) => {
    if (interests.topics.length === 0) return leave(tx, held);
    const confirmedAt = held.confirmedAt ?? now;
    const state = { state: 'confirmed', confirmedAt, endedAt: null } as const;
    return updateSubscriber(tx, held.id, { ...noPendingInterests, ...normalize(interests), ...state });
  });

/** Unsubscribes a link's owner from a topic, or from all topics. Idempotent. Throws `invalid_token`. */
export const unsubscribe = (
  ctx: Needs<'db' | 'vault'>,
  { token, topic }: { token: string; topic?: Topic | undefined },
): Promise<Subscription> =>
  change(ctx, token, (tx, held) => {
    const topics = topic ? held.topics.filter((one) => one !== topic) : [];
    if (topics.length === 0) return leave(tx, held);
    return updateSubscriber(tx, held.id, normalize({ topics, services: held.services }));
  });

const leave = (tx: Tx, held: SubscriberRow): Promise<SubscriberRow> =>
  held.state === 'unsubscribed' ? Promise.resolve(held) : updateSubscriber(tx, held.id, unsubscribedChanges);

async function change(
  ctx: Needs<'db' | 'vault'>,
  token: string,
  write: (tx: Tx, held: SubscriberRow) => Promise<SubscriberRow>,
): Promise<Subscription> {
  const id = readSubscriberToken(ctx, token);
  if (id === undefined) throw new AppError('invalid_token');
  return ctx.db.transaction().execute(async (tx) => {
    const held = await lockSubscriber(tx, id);
    if (!held) throw new AppError('invalid_token');
    return present(await write(tx, held));
  });
}
