import { newsletterLimits, type SubscriberSource } from '@uprez/contracts/policy/newsletter';
import type { NewSubscription } from '@uprez/contracts/schemas/newsletter/subscribers';
import type { Tx } from '@uprez/db/database';
import {
  countMailboxLinks,
  ensureSubscriber,
  type SubscriberRow,
  updateSubscriber,
} from '@uprez/db/queries/newsletter/subscribers';
import { afterSeconds, readClock } from '@uprez/db/times';
import { uuidv7 } from 'uuidv7';
import { takeAnswerTime } from '../../answer-time.ts';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { reportLimit } from '../../report-limit.ts';
import { addInterests, coversInterests } from './interests.ts';

const dayS = 86_400;

/**
 * Sends a confirmation email. Does nothing for bots, which fill in the hidden field. Takes the same time for all
 * addresses, so that it doesn't reveal who is subscribed.
 */
export const subscribe = ({ db }: Needs<'db'>, { website, ...subscription }: NewSubscription): Promise<void> =>
  takeAnswerTime(async () => {
    if (website === '') await db.transaction().execute((tx) => askToConfirm(tx, subscription));
  });

type Asking = Pick<NewSubscription, 'email' | 'topics' | 'services'> & { source: SubscriberSource };

/**
 * Stores the requested interests and queues the confirmation email, because anyone can enter a stranger's email
 * address. Sends nothing to addresses that already have these interests or that a mail server refused, and at most
 * `confirmationsPerDay` links per day to a mailbox.
 */
export async function askToConfirm(tx: Tx, { email, source, ...interests }: Asking): Promise<void> {
  const held = await ensureSubscriber(tx, { id: uuidv7(), email, source });
  if (held.state === 'bounced' || (held.state === 'confirmed' && coversInterests(held, interests))) return;
  if ((await countMailboxLinks(tx, held.email, dayS)) >= newsletterLimits.confirmationsPerDay)
    return reportLimit('confirmation_mails');
  const wanted = addInterests({ topics: held.wantedTopics, services: held.wantedServices }, interests);
  await updateSubscriber(tx, held.id, {
    wantedTopics: wanted.topics,
    wantedServices: wanted.services,
    source: held.source ?? source,
    // An earlier link would confirm more than its email states.
    tokenHash: null,
    expiresAt: afterSeconds(newsletterLimits.pendingDays * dayS),
    askedAt: [...held.askedAt, await readClock(tx)].slice(-newsletterLimits.confirmationsPerDay),
  });
  await queueMail(tx, undefined, mailOf(held, wanted.topics));
}

const mailOf = ({ id: subscriberId, email: to }: SubscriberRow, topics: NewSubscription['topics']) => ({
  mail: 'confirm_subscription' as const,
  to,
  subscriberId,
  topics: [...topics],
});
