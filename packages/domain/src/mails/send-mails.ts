import type { MailName } from '@uprez/contracts/schemas/mails';
import { type ClaimedMessage, claimOutbox, hasDueOutbox, settleOutbox } from '@uprez/db/queries/mails/outbox';
import { MailError } from '@uprez/mail/mail-error';
import type { Needs } from '../context.ts';
import { deliverMail } from './deliver-mail.ts';

/** Longer than one attempt may take, so that no second sender has the same mail. */
const leaseS = 60;
const attempts = 10;
const firstRetryS = 10;
const longestRetryS = 3_600;
/** Connections to the mail server at once. */
const lanes = 4;
/** No further mail is begun after this long: whoever stops the process waits for what has begun. */
const runMs = 5_000;

type Sending = Needs<'db' | 'log' | 'settings'>;
export type MailSender = {
  /** Send what is due; how many mails left. Safe to repeat and to run in several processes. */
  sendMails: () => Promise<number>;
};

/** What sends the outbox's mails. While no mail server is set they wait, which is told once. */
export function makeMailSender(ctx: Sending, publicUrl: string): MailSender {
  let toldWaiting = false;
  return {
    sendMails: async () => {
      const { smtpHost } = await ctx.settings.read('email');
      if (!smtpHost) {
        if (!toldWaiting && (await hasDueOutbox(ctx.db, 'mail'))) {
          toldWaiting = true;
          ctx.log.warn({}, 'mails wait: no mail server is set');
        }
        return 0;
      }
      toldWaiting = false;
      const until = performance.now() + runMs;
      const ends = await Promise.allSettled(Array.from({ length: lanes }, () => sendUntil(ctx, publicUrl, until)));
      return ends.reduce((sum, end) => sum + countOf(end), 0);
    },
  };
}

function countOf(end: PromiseSettledResult<number>): number {
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

/** One mail after the other, until none is due or the time is over; how many left. */
async function sendUntil(ctx: Sending, publicUrl: string, until: number): Promise<number> {
  let sent = 0;
  while (performance.now() < until) {
    const claimed = await claimOutbox(ctx.db, 'mail', leaseS);
    if (!claimed) break;
    if (await sendOne(ctx, publicUrl, claimed)) sent += 1;
  }
  return sent;
}

async function sendOne(ctx: Sending, publicUrl: string, claimed: ClaimedMessage): Promise<boolean> {
  const rest = { mail: claimed.payload.mail as MailName };
  try {
    // Every attempt before ended with its process, or in an error that is not the mail server's.
    if (claimed.attempts > attempts) throw new MailError('the attempts are used up', true);
    await deliverMail(ctx, { claimed, server: await ctx.settings.read('email'), publicUrl });
  } catch (error) {
    // Anything but a refusal, PostgreSQL away say: the lease ends, and the mail is due again.
    if (!(error instanceof MailError)) throw error;
    await noteFailure(ctx, claimed, error);
    return false;
  }
  await settleOutbox(ctx.db, claimed, { payload: rest });
  return true;
}

/** Try again later, or give the mail up; what is given up keeps no address either. */
async function noteFailure(ctx: Sending, claimed: ClaimedMessage, error: MailError): Promise<void> {
  const { mail } = claimed.payload;
  const facts = { mailId: claimed.id, mail, attempts: claimed.attempts, reason: error.message };
  if (!error.isPermanent && claimed.attempts < attempts) {
    await settleOutbox(ctx.db, claimed, { failure: error.message, retryS: retryAfterS(claimed.attempts) });
    ctx.log.warn(facts, 'a mail could not be sent and will be tried again');
    return;
  }
  await settleOutbox(ctx.db, claimed, { failure: error.message, payload: { mail } });
  ctx.log.warn(facts, 'a mail was given up');
}

/** 10 s, doubled with each attempt up to an hour; up to a fifth less, so that mails do not come back all at once. */
const retryAfterS = (attempt: number) =>
  Math.min(firstRetryS * 2 ** (attempt - 1), longestRetryS) * (1 - Math.random() / 5);
