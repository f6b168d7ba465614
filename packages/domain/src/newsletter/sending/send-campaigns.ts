import { claimCampaignMail } from '@uprez/db/queries/newsletter/campaign-mails';
import { completeCampaigns } from '@uprez/db/queries/newsletter/campaigns';
import { openMailConnection } from '@uprez/mail/send-message';
import { whyPaused } from '../../mails/why-paused.ts';
import { type Sending, type SendingPass, sendClaimed } from './send-claimed.ts';
import { cancelOldIncidentCampaigns, startDueCampaigns } from './start-campaign.ts';

/** Longer than one attempt takes, so no two senders send the same email. */
const leaseS = 60;
/** Start no email after this long: a process that stops waits for the one in hand. */
const runMs = 5_000;
/** Pause after the mail server couldn't be reached, so that a long failure doesn't use up the attempts of all emails. */
const pauseMs = 10_000;

/**
 * Makes a function that sends the emails of campaigns one after another, and returns how many. A process that is killed has
 * one email in hand, which is sent again with the same ID. Safe to run in several processes, beside the sender of other
 * emails, which don't wait for it.
 */
export function makeCampaignSender(ctx: Sending, publicUrl: string): () => Promise<number> {
  let pausedUntil = 0;
  return async () => {
    await startDueCampaigns(ctx);
    await cancelOldIncidentCampaigns(ctx);
    if (performance.now() < pausedUntil) return 0;
    const { sent, hasFailed } = await sendDue(ctx, publicUrl);
    if (hasFailed) pausedUntil = performance.now() + pauseMs;
    await completeCampaigns(ctx.db);
    return sent;
  };
}

/** `hasFailed`: the mail server couldn't be reached. */
async function sendDue(ctx: Sending, publicUrl: string): Promise<{ sent: number; hasFailed: boolean }> {
  const server = await ctx.settings.read('email');
  if (whyPaused(server)) return { sent: 0, hasFailed: false };
  const until = performance.now() + runMs;
  // Connects with the first email.
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
