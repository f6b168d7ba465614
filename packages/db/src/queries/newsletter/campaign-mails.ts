import type { CampaignMailState } from '@uprez/contracts/policy/newsletter';
import type { StatusService } from '@uprez/contracts/policy/status';
import { type SqlBool, sql } from 'kysely';
import type { DbOrTx, Tx } from '../../database.ts';
import { afterSeconds, now } from '../../times.ts';

/**
 * The recipients of a campaign. `services`: services of the incident, or undefined for everyone who gets status
 * notifications.
 */
export type Audience = { topic: 'news' } | { topic: 'status'; services?: readonly StatusService[] | undefined };

function selectRecipients(db: DbOrTx, { topic, ...more }: Audience) {
  const query = db
    .selectFrom('subscribers')
    .where('state', '=', 'confirmed')
    .where(sql<SqlBool>`${topic} = any(topics)`);
  const services = 'services' in more ? more.services : undefined;
  if (!services) return query;
  return query.where(sql<SqlBool>`(services = '{}' or services && ${[...services]}::text[])`);
}

export async function countRecipients(db: DbOrTx, audience: Audience): Promise<number> {
  const query = selectRecipients(db, audience).select(sql<number>`count(*)`.as('n'));
  return (await query.executeTakeFirstOrThrow()).n;
}

/** Stores the recipients of a campaign. Returns the number of recipients. */
export async function insertCampaignMails(tx: Tx, campaignId: string, audience: Audience): Promise<number> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('campaignMails')
    .columns(['campaignId', 'subscriberId'])
    .expression(selectRecipients(tx, audience).select([sql<string>`${campaignId}::uuid`.as('campaignId'), 'id']))
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0n);
}

/** A claimed email. `attempts` identifies the attempt. */
export type ClaimedCampaignMail = { campaignId: string; subscriberId: string; attempts: number };

/**
 * Claims an email of a campaign that is being sent, for `leaseS` seconds. Incident updates come first, then emails of
 * the campaign that started first. Concurrent senders claim different emails.
 */
export async function claimCampaignMail(db: DbOrTx, leaseS: number): Promise<ClaimedCampaignMail | undefined> {
  const { rows } = await sql<ClaimedCampaignMail>`
    with due as (
      select mail.campaign_id, mail.subscriber_id
      from (
        select id from campaigns where state = 'sending' order by (kind = 'incident') desc, started_at, id
      ) as campaign
      cross join lateral (
        select campaign_id, subscriber_id from campaign_mails
        where campaign_id = campaign.id and state = 'pending' and not_before <= now()
        order by not_before limit 1 for update skip locked
      ) as mail
      limit 1
    )
    update campaign_mails as mail
    set attempts = mail.attempts + 1, not_before = now() + make_interval(secs => ${leaseS})
    from due
    where mail.campaign_id = due.campaign_id and mail.subscriber_id = due.subscriber_id
    returning mail.campaign_id as "campaignId", mail.subscriber_id as "subscriberId", mail.attempts`.execute(db);
  return rows[0];
}

/** Selects the email of an attempt for an update, even if its campaign was canceled after the claim. */
const updateAttempt = (db: DbOrTx, { campaignId, subscriberId, attempts }: ClaimedCampaignMail) =>
  db
    .updateTable('campaignMails')
    .where('campaignId', '=', campaignId)
    .where('subscriberId', '=', subscriberId)
    .where('attempts', '=', attempts);

/** Stores the outcome of an attempt, unless a later attempt has begun. */
export async function settleCampaignMail(
  db: DbOrTx,
  claimed: ClaimedCampaignMail,
  { state, error }: { state: Exclude<CampaignMailState, 'pending'>; error?: string },
): Promise<void> {
  await updateAttempt(db, claimed)
    .set({ state, endedAt: now, lastError: error ?? null })
    .where('state', 'in', ['pending', 'skipped'])
    .execute();
}

export async function retryCampaignMail(
  db: DbOrTx,
  claimed: ClaimedCampaignMail,
  { retryS, error }: { retryS: number; error: string },
): Promise<void> {
  await updateAttempt(db, claimed)
    .set({ notBefore: afterSeconds(retryS), lastError: error })
    .where('state', '=', 'pending')
    .execute();
}

/** Releases a claimed email that wasn't tried or couldn't be tried. The claim doesn't count as an attempt. */
export async function releaseCampaignMail(
  db: DbOrTx,
  claimed: ClaimedCampaignMail,
  { retryS, error }: { retryS: number; error: string | null },
): Promise<void> {
  await updateAttempt(db, claimed)
    .set((eb) => ({ notBefore: afterSeconds(retryS), attempts: eb('attempts', '-', 1), lastError: error }))
    .where('state', '=', 'pending')
    .execute();
}

/**
 * Searches a campaign's `latest` most recent sent or failed emails. Lists the recipients that the mail server refused
 * and that have been marked as bounced since.
 */
export async function listRefusedRecipients(db: DbOrTx, campaignId: string, latest: number): Promise<string[]> {
  const ended = db
    .selectFrom('campaignMails')
    .select(['subscriberId', 'state'])
    .where('campaignId', '=', campaignId)
    .where('state', 'in', ['sent', 'failed'])
    .orderBy('endedAt', 'desc')
    .limit(latest)
    .as('mail');
  const rows = await db
    .selectFrom(ended)
    .innerJoin('subscribers', 'subscribers.id', 'mail.subscriberId')
    .select('subscribers.id')
    .where('mail.state', '=', 'failed')
    .where('subscribers.state', '=', 'bounced')
    .execute();
  return rows.map(({ id }) => id);
}

/** Skips the pending emails of campaigns. */
export async function skipCampaignMails(tx: Tx, campaignIds: readonly string[]): Promise<void> {
  if (campaignIds.length === 0) return;
  await tx
    .updateTable('campaignMails')
    .set({ state: 'skipped', endedAt: now })
    .where('campaignId', 'in', campaignIds)
    .where('state', '=', 'pending')
    .execute();
}
