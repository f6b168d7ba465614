import { timingSafeEqual } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import {
  type Interests,
  newsletterLimits,
  type SubscriberSource,
  type Topic,
  topics,
} from '@uprez/contracts/policy/newsletter';
import { type StatusService, statusServices } from '@uprez/contracts/policy/status';
import type { NewSubscriber, NewsletterSubscription } from '@uprez/contracts/schemas/newsletter/subscribers';
import type { Tx } from '@uprez/db/database';
import {
  countMailboxLinks,
  ensureSubscriber,
  findSubscriber,
  lockSubscriber,
  lockSubscriberByToken,
  type SubscriberChanges,
  type SubscriberRow,
  updateSubscriber,
} from '@uprez/db/queries/newsletter/subscribers';
import { afterSeconds, now, readClock } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { isUuid } from '../../actor.ts';
import { takeAnswerTime } from '../../answer-time.ts';
import type { Needs } from '../../context.ts';
import { hashLinkToken } from '../../mails/account-token.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { reportLimit } from '../../report-limit.ts';

const dayS = 86_400;

/**
 * Sends a confirmation email. Does nothing for bots, which fill in the hidden field. Takes the same time for all
 * addresses. Otherwise, the response time would reveal who is subscribed.
 */
export const subscribe = ({ db }: Needs<'db'>, { website, ...subscription }: NewSubscriber): Promise<void> =>
  takeAnswerTime(async () => {
    if (website === '') await db.transaction().execute((tx) => requestConfirmation(tx, subscription));
  });

type ConfirmationRequest = Pick<NewSubscriber, 'email' | 'topics' | 'services'> & { source: SubscriberSource };

/**
 * Stores the requested interests and queues the confirmation email. The interests must be confirmed, because anyone can
 * enter a stranger's email address. Sends nothing if the address already has these interests or a mail server has
 * refused it. Sends at most `confirmationsPerDay` links per day to a mailbox.
 */
export async function requestConfirmation(tx: Tx, { email, source, ...interests }: ConfirmationRequest): Promise<void> {
  const held = await ensureSubscriber(tx, { id: uuidv7(), email, source });
  if (held.state === 'bounced' || (held.state === 'confirmed' && coversInterests(held, interests))) return;
  if ((await countMailboxLinks(tx, held.email, dayS)) >= newsletterLimits.confirmationsPerDay)
    return reportLimit('confirmation_mails');
  const wanted = addInterests({ topics: held.wantedTopics, services: held.wantedServices }, interests);
  await updateSubscriber(tx, held.id, {
    wantedTopics: wanted.topics,
    wantedServices: wanted.services,
    source: held.source ?? source,
    // Revokes the earlier link, which would now confirm more than its email states.
    tokenHash: null,
    expiresAt: afterSeconds(newsletterLimits.pendingDays * dayS),
    askedAt: [...held.askedAt, await readClock(tx)].slice(-newsletterLimits.confirmationsPerDay),
  });
  await queueMail(tx, undefined, mailOf(held, wanted.topics));
}

const mailOf = ({ id: subscriberId, email: to }: SubscriberRow, topics: NewSubscriber['topics']) => ({
  mail: 'confirm_subscription' as const,
  to,
  subscriberId,
  topics: [...topics],
});

const presentSubscription = ({ email, topics, services }: SubscriberRow): NewsletterSubscription => ({
  email,
  topics,
  services,
});

const noPendingInterests = { wantedTopics: [], wantedServices: [], tokenHash: null, expiresAt: null, askedAt: [] };

/** Only the email address is kept, because it must not receive emails without a new confirmation. */
const unsubscribedChanges: SubscriberChanges = {
  ...{ state: 'unsubscribed', topics: [], services: [], source: null, confirmedAt: null, endedAt: now },
  ...noPendingInterests,
};

/**
 * Confirms a subscription. Each link works only once. Throws `invalid_token` for a link that has expired, was used, or
 * was never sent.
 */
export const confirmSubscription = (
  ctx: Needs<'db' | 'vault'>,
  token: string,
): Promise<NewsletterSubscription & { token: string }> =>
  ctx.db.transaction().execute(async (tx) => {
    const held = await lockSubscriberByToken(tx, hashLinkToken(token));
    if (!held) throw new AppError('invalid_token');
    const wanted = { topics: held.wantedTopics, services: held.wantedServices };
    const confirmed = await updateSubscriber(tx, held.id, {
      ...noPendingInterests,
      ...addInterests(held, wanted),
      ...{ state: 'confirmed', confirmedAt: now, endedAt: null },
    });
    return { ...presentSubscription(confirmed), token: makeSubscriberToken(ctx, held.id) };
  });

/** Returns the subscription that the token in a link belongs to. Throws `invalid_token`. */
export async function getNewsletterSubscription(
  ctx: Needs<'db' | 'vault'>,
  token: string,
): Promise<NewsletterSubscription> {
  const id = readSubscriberToken(ctx, token);
  const found = id === undefined ? undefined : await findSubscriber(ctx.db, id);
  if (!found) throw new AppError('invalid_token');
  return presentSubscription(found);
}

/**
 * Changes the subscription that the token in a link belongs to. An empty list of topics ends the subscription. Throws
 * `invalid_token`.
 */
export const updateSubscription = (
  ctx: Needs<'db' | 'vault'>,
  { token, ...interests }: Interests & { token: string },
): Promise<NewsletterSubscription> =>
  changeSubscription(ctx, token, (tx, held) => {
    if (interests.topics.length === 0) return unsubscribeAll(tx, held);
    const confirmedAt = held.confirmedAt ?? now;
    const state = { state: 'confirmed', confirmedAt, endedAt: null } as const;
    return updateSubscriber(tx, held.id, { ...noPendingInterests, ...normalizeInterests(interests), ...state });
  });

/**
 * Ends the subscription that the token in a link belongs to, for one topic or for all topics. Idempotent. Throws
 * `invalid_token`.
 */
export const unsubscribe = (
  ctx: Needs<'db' | 'vault'>,
  { token, topic }: { token: string; topic?: Topic | undefined },
): Promise<NewsletterSubscription> =>
  changeSubscription(ctx, token, (tx, held) => {
    const topics = topic ? held.topics.filter((one) => one !== topic) : [];
    if (topics.length === 0) return unsubscribeAll(tx, held);
    return updateSubscriber(tx, held.id, normalizeInterests({ topics, services: held.services }));
  });

const unsubscribeAll = (tx: Tx, held: SubscriberRow): Promise<SubscriberRow> =>
  held.state === 'unsubscribed' ? Promise.resolve(held) : updateSubscriber(tx, held.id, unsubscribedChanges);

async function changeSubscription(
  ctx: Needs<'db' | 'vault'>,
  token: string,
  write: (tx: Tx, held: SubscriberRow) => Promise<SubscriberRow>,
): Promise<NewsletterSubscription> {
  const id = readSubscriberToken(ctx, token);
  if (id === undefined) throw new AppError('invalid_token');
  return ctx.db.transaction().execute(async (tx) => {
    const held = await lockSubscriber(tx, id);
    if (!held) throw new AppError('invalid_token');
    return presentSubscription(await write(tx, held));
  });
}

const linkPurpose = 'newsletter-link';
const idBytes = 16;
const signatureBytes = 16;

const shortenSignature = (signature: Buffer) => signature.subarray(0, signatureBytes);

/**
 * Creates the token for the links in a subscriber's emails: the subscriber's ID with a signature. The token doesn't
 * expire, because people keep emails for years.
 */
export const makeSubscriberToken = (ctx: Needs<'vault'>, id: string): string =>
  Buffer.concat([
    Buffer.from(id.replaceAll('-', ''), 'hex'),
    shortenSignature(ctx.vault.sign(id, linkPurpose)),
  ]).toString('base64url');

/** Returns the subscriber ID in a token, or undefined if its signature is invalid. */
export function readSubscriberToken(ctx: Needs<'vault'>, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== idBytes + signatureBytes) return undefined;
  const hex = bytes.subarray(0, idBytes).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  if (!isUuid(id)) return undefined;
  const given = bytes.subarray(idBytes);
  return ctx.vault.signatures(id, linkPurpose).some((one) => timingSafeEqual(shortenSignature(one), given))
    ? id
    : undefined;
}

type Stored = { topics: Topic[]; services: StatusService[] };

/**
 * Returns interests in their canonical form: sorted, and with services only for the topic `status`. An empty list of
 * services means all of them.
 */
export function normalizeInterests({ topics: chosen, services }: Interests): Stored {
  const isAll = !chosen.includes('status') || statusServices.every((service) => services.includes(service));
  return {
    topics: topics.filter((topic) => chosen.includes(topic)),
    services: isAll ? [] : statusServices.filter((service) => services.includes(service)),
  };
}

/** Returns the union of two sets of interests. */
export function addInterests(one: Interests, other: Interests): Stored {
  const ofStatus = [one, other].filter((interests) => interests.topics.includes('status'));
  const isAll = ofStatus.some(({ services }) => services.length === 0);
  const services = isAll ? [] : ofStatus.flatMap((interests) => interests.services);
  return normalizeInterests({ topics: [...one.topics, ...other.topics], services });
}

/** Whether held interests include all wanted interests. */
export function coversInterests(held: Interests, wanted: Interests): boolean {
  const both = addInterests(held, wanted);
  const { topics: heldTopics, services } = normalizeInterests(held);
  return both.topics.length === heldTopics.length && both.services.length === services.length;
}
