import { randomUUID } from 'node:crypto';
import { routes } from '@uprez/contracts/endpoints/routes';
import { newsletterLimits, type Topic } from '@uprez/contracts/policy/newsletter';
import type { CampaignContent } from '@uprez/contracts/schemas/mails';
import {
  type ClaimedCampaignMail,
  claimCampaignMail,
  listRefusedRecipients,
  releaseCampaignMail,
  retryCampaignMail,
  settleCampaignMail,
} from '@uprez/db/queries/newsletter/campaign-mails';
import {
  type CampaignRow,
  completeCampaigns,
  findCampaignRow,
  pauseCampaign,
} from '@uprez/db/queries/newsletter/campaigns';
import { findSubscriber, markSubscriberBounced, restoreSubscribers } from '@uprez/db/queries/newsletter/subscribers';
import { type RenderedMail, renderCampaign } from '@uprez/mail/render-mail';
import { MailError, type Message, openMailConnection } from '@uprez/mail/send-message';
import type { Needs } from '../../context.ts';
import { findPauseReason } from '../../mails/queue-mail.ts';
import { makeSubscriberToken } from '../subscribers/subscription.ts';
import { makeCampaignContent, siteOf } from './make-content.ts';
import { cancelOldIncidentCampaigns, startDueCampaigns } from './start-campaign.ts';

/** Longer than one attempt takes. Otherwise, two senders could send the same email. */
const leaseS = 60;
/** A stopping process must wait for the run, so the run is kept short. */
const runMs = 5_000;
/** Pause after a failure of the mail server, in milliseconds, because the next emails would likely fail too. */
const pauseMs = 10_000;

/**
 * Creates a function that sends campaign emails one at a time and returns how many it sent. If the process is killed,
 * at most one email is sent again, with the same ID. Safe to run in several processes. The sender of other emails runs
 * separately, so those emails don't wait for campaigns.
 */
export function makeCampaignSender(ctx: SendContext, publicUrl: string): () => Promise<number> {
  let pausedUntil = 0;
  return async () => {
    await startDueCampaigns(ctx);
    await cancelOldIncidentCampaigns(ctx);
    if (performance.now() < pausedUntil) return 0;
    const { sent, hasFailed } = await sendDueMails(ctx, publicUrl);
    if (hasFailed) pausedUntil = performance.now() + pauseMs;
    await completeCampaigns(ctx.db);
    return sent;
  };
}

/** `hasFailed`: whether the mail server failed. */
async function sendDueMails(ctx: SendContext, publicUrl: string): Promise<{ sent: number; hasFailed: boolean }> {
  const server = await ctx.settings.read('email');
  if (findPauseReason(server)) return { sent: 0, hasFailed: false };
  const until = performance.now() + runMs;
  // The connection opens with the first email.
  const connection = openMailConnection(server);
  const pass: SendingPass = { publicUrl, connection, templates: new Map() };
  let sent = 0;
  try {
    while (performance.now() < until) {
      const claimed = await claimCampaignMail(ctx.db, leaseS);
      if (!claimed) break;
      const end = await sendClaimed(ctx, pass, claimed);
      if (end === 'server_failed') return { sent, hasFailed: true };
      if (end === 'sent') sent += 1;
    }
    return { sent, hasFailed: false };
  } finally {
    connection.close();
  }
}

type SendContext = Needs<'db' | 'log' | 'settings' | 'vault'>;

/** `templates`: rendered campaigns, by version or by content. */
type SendingPass = {
  publicUrl: string;
  connection: ReturnType<typeof openMailConnection>;
  templates: Map<string, MailTemplate>;
};

/** `server_failed`: the mail server couldn't be reached or rejects everything. */
type AttemptOutcome = 'sent' | 'unsent' | 'server_failed';

/**
 * Sends a claimed email, unless its campaign was paused or its recipient unsubscribed in the meantime. No transaction
 * is open during the request to the mail server.
 */
export async function sendClaimed(
  ctx: SendContext,
  pass: SendingPass,
  claimed: ClaimedCampaignMail,
): Promise<AttemptOutcome> {
  const { campaignId, subscriberId, attempts } = claimed;
  const campaign = await findCampaignRow(ctx.db, campaignId);
  const template = campaign?.state === 'sending' ? await readTemplate(ctx, pass, campaign) : undefined;
  if (!template) return await stopSending(ctx, claimed);
  const subscriber = await findSubscriber(ctx.db, subscriberId);
  if (subscriber?.state !== 'confirmed' || !subscriber.topics.includes(template.topic)) {
    await settleCampaignMail(ctx.db, claimed, { state: 'skipped' });
    return 'unsent';
  }
  const recipient = {
    id: `${campaignId}.${subscriberId}`,
    to: subscriber.email,
    token: makeSubscriberToken(ctx, subscriberId),
  };
  try {
    // All attempts may already be used up, because no failure is recorded if the process exits during an attempt.
    if (attempts > newsletterLimits.attempts) throw new MailError('the attempts are used up', true);
    await pass.connection.send(fillTemplate(template, recipient, pass.publicUrl));
  } catch (error) {
    // For other errors, such as a lost connection to PostgreSQL, the lease expires and the email becomes due again.
    if (!(error instanceof MailError)) throw error;
    return await recordFailure(ctx, claimed, error);
  }
  await settleCampaignMail(ctx.db, claimed, { state: 'sent' });
  return 'sent';
}

/**
 * Returns the rendered campaign, or undefined if its post isn't public. The post is read for each email, because it can
 * be hidden at any time.
 */
async function readTemplate(ctx: SendContext, { publicUrl, templates }: SendingPass, campaign: CampaignRow) {
  const versionKey = `${campaign.id} ${campaign.version}`;
  const written = campaign.kind === 'written' ? templates.get(versionKey) : undefined;
  if (written) return written;
  const content = await makeCampaignContent(ctx.db, campaign, publicUrl);
  if (!content) return undefined;
  const key = campaign.kind === 'written' ? versionKey : JSON.stringify(content);
  const template = templates.get(key) ?? (await makeMailTemplate(ctx, content, publicUrl));
  templates.set(key, template);
  return template;
}

/**
 * Releases an email that can't be sent now. Also pauses its campaign if that is still in the state `sending`, because
 * the post is then no longer public.
 */
async function stopSending(ctx: SendContext, claimed: ClaimedCampaignMail): Promise<AttemptOutcome> {
  const { campaignId } = claimed;
  if (await pauseCampaign(ctx.db, campaignId)) ctx.log.warn({ campaignId }, 'campaign paused: its post is not public');
  await releaseCampaignMail(ctx.db, claimed, { retryS: 0, error: null });
  return 'unsent';
}

const initialRetryS = 60;

/** If the mail server permanently rejects the address, it receives no more emails. */
async function recordFailure(
  ctx: SendContext,
  claimed: ClaimedCampaignMail,
  error: MailError,
): Promise<AttemptOutcome> {
  const { campaignId, subscriberId, attempts } = claimed;
  const { message: reason, isPermanent, about } = error;
  if (about === 'server') {
    // A failure of the mail server doesn't count as an attempt. Otherwise, the email would fail during a long outage.
    await releaseCampaignMail(ctx.db, claimed, { retryS: initialRetryS, error: reason });
    ctx.log.warn({ campaignId, reason }, 'sending campaigns paused: the mail server failed');
    return 'server_failed';
  }
  const isRetried = !isPermanent && attempts < newsletterLimits.attempts;
  // Retries after 1, 4, 16, and 64 minutes.
  if (isRetried)
    await retryCampaignMail(ctx.db, claimed, { retryS: initialRetryS * 4 ** (attempts - 1), error: reason });
  else await settleCampaignMail(ctx.db, claimed, { state: 'failed', error: reason });
  const facts = { campaignId, subscriberId, attempts, reason };
  ctx.log.warn(facts, isRetried ? 'sending a campaign mail failed, will retry' : 'sending a campaign mail failed');
  if (isPermanent && about === 'recipient') await recordBounce(ctx, claimed);
  return 'unsent';
}

/**
 * Maximum number of bounces among a campaign's latest emails. Subscribers have confirmed their addresses, so more
 * bounces indicate a problem on our side, such as a relay that requires a login.
 */
const bounceLimits = { among: 20, atMost: 9 };

/**
 * Stops sending emails to the recipient. After too many bounces, pauses the campaign instead and restores the bounced
 * subscribers.
 */
async function recordBounce(
  { db, log }: SendContext,
  { campaignId, subscriberId }: ClaimedCampaignMail,
): Promise<void> {
  await markSubscriberBounced(db, subscriberId);
  const refused = await listRefusedRecipients(db, campaignId, bounceLimits.among);
  if (refused.length <= bounceLimits.atMost) return;
  await pauseCampaign(db, campaignId);
  await restoreSubscribers(db, refused);
  log.error({ campaignId, refused: refused.length }, 'campaign paused: the mail server refuses its recipients');
}

/** Placeholder for the recipient's token. It is random, so it can't occur in an author's text. */
const placeholder = randomUUID();

type MailTemplate = { topic: Topic; mail: RenderedMail };

async function makeMailTemplate(
  { settings }: Needs<'settings'>,
  content: CampaignContent,
  publicUrl: string,
): Promise<MailTemplate> {
  const { siteName, supportEmail, ...owner } = await settings.read('site');
  const mail = await renderCampaign(content, { siteName, supportEmail, owner, publicUrl, token: placeholder });
  return { topic: content.topic, mail };
}

type Recipient = { id: string; to: string; token: string };

/** Creates the email for one recipient. `id` becomes the Message-ID and is the same in all attempts. */
function fillTemplate({ topic, mail }: MailTemplate, { id, to, token }: Recipient, publicUrl: string): Message {
  const fill = (text: string) => text.replaceAll(placeholder, () => token);
  const query = new URLSearchParams({ token, topic });
  const unsubscribeUrl = `${siteOf(publicUrl)}${routes.unsubscribe.path}?${query}`;
  return { id, to, unsubscribeUrl, subject: mail.subject, html: fill(mail.html), text: fill(mail.text) };
}
