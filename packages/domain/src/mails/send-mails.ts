import { type Mail, type MailName, mailSchema } from '@uprez/contracts/schemas/mails';
import type { Tx } from '@uprez/db/database';
import { setInvitationToken } from '@uprez/db/queries/accounts/invitations';
import { findUser, lockUser, type UserRow } from '@uprez/db/queries/accounts/users';
import {
  type ClaimedMessage,
  claimOutbox,
  findDueOutbox,
  lockOutbox,
  settleOutbox,
} from '@uprez/db/queries/mails/outbox';
import { setSubscriberToken } from '@uprez/db/queries/newsletter/subscribers';
import { renderMail } from '@uprez/mail/render-mail';
import { MailError, sendMessage } from '@uprez/mail/send-message';
import type { Needs } from '../context.ts';
import { createAccountToken, hashLinkToken, makeLinkToken } from './account-token.ts';
import { findPauseReason, isSwitchedOff, mailLinks, withheldReasons } from './queue-mail.ts';

/** Longer than one attempt takes. Otherwise, two senders could send the same email. */
const leaseS = 60;
const maxAttempts = 10;
const initialRetryS = 10;
const maxRetryS = 3_600;
const concurrency = 4;
/** A stopping process must wait for the run, so the run is kept short. */
const runMs = 5_000;

type SendContext = Needs<'db' | 'log' | 'settings'>;

/**
 * Creates a function that sends all due emails and returns how many it sent. Safe to run in several processes. While no
 * email can be sent, logs the reason once.
 */
export function makeMailSender(ctx: SendContext, publicUrl: string): () => Promise<number> {
  let hasWarned = false;
  return async () => {
    const reason = findPauseReason(await ctx.settings.read('email'));
    if (reason) {
      if (!hasWarned && (await findDueOutbox(ctx.db, 'mail'))) {
        hasWarned = true;
        ctx.log.warn({}, `mail delivery paused: ${reason}`);
      }
      return 0;
    }
    hasWarned = false;
    const until = performance.now() + runMs;
    const ends = await Promise.allSettled(Array.from({ length: concurrency }, () => sendUntil(ctx, publicUrl, until)));
    return ends.reduce((sum, end) => sum + countOf(end), 0);
  };
}

function countOf(end: PromiseSettledResult<number>): number {
  if (end.status === 'rejected') throw end.reason;
  return end.value;
}

async function sendUntil(ctx: SendContext, publicUrl: string, until: number): Promise<number> {
  let sent = 0;
  while (performance.now() < until) {
    const claimed = await claimOutbox(ctx.db, 'mail', leaseS);
    if (!claimed) break;
    if (await sendClaimedMail(ctx, publicUrl, claimed)) sent += 1;
  }
  return sent;
}

async function sendClaimedMail(ctx: SendContext, publicUrl: string, claimed: ClaimedMessage): Promise<boolean> {
  const rest = { mail: claimed.payload.mail as MailName };
  try {
    // Attempts can be used up here, because an attempt that ends with its process or with an internal error records no
    // failure.
    if (claimed.attempts > maxAttempts) throw new MailError('the attempts are used up', true);
    await deliverMail(ctx, claimed, publicUrl);
  } catch (error) {
    // For other errors, such as a lost connection to PostgreSQL, the lease expires and the email becomes due again.
    if (!(error instanceof MailError)) throw error;
    await recordFailure(ctx, claimed, error);
    return false;
  }
  await settleOutbox(ctx.db, claimed, { payload: rest });
  return true;
}

/** Schedules a retry, or fails the email and deletes its content. */
async function recordFailure(ctx: SendContext, claimed: ClaimedMessage, { message, isPermanent }: MailError) {
  const { mail } = claimed.payload;
  const isRetried = !isPermanent && claimed.attempts < maxAttempts;
  const next = isRetried ? { retryS: computeRetryDelayS(claimed.attempts) } : { payload: { mail } };
  await settleOutbox(ctx.db, claimed, { failure: message, ...next });
  const facts = { mailId: claimed.id, mail, attempts: claimed.attempts, reason: message };
  ctx.log.warn(facts, isRetried ? 'sending a mail failed, will retry' : 'sending a mail failed permanently');
}

/** Exponential backoff from 10 seconds to 1 hour, minus up to 20% jitter. */
const computeRetryDelayS = (attempt: number) =>
  Math.min(initialRetryS * 2 ** (attempt - 1), maxRetryS) * (1 - Math.random() / 5);

/** Creates the link token only now, because only its hash is stored. Throws `MailError`. */
async function deliverMail(ctx: Needs<'db' | 'settings'>, claimed: ClaimedMessage, publicUrl: string): Promise<void> {
  const server = await ctx.settings.read('email');
  const mail = readMail(claimed);
  if (isSwitchedOff(mail.mail, server)) throw new MailError(withheldReasons.switchedOff, true);
  const user = claimed.userId === null ? undefined : await findUser(ctx.db, claimed.userId);
  const to = 'to' in mail ? mail.to : user?.email;
  if (to === undefined) throw new MailError(withheldReasons.deleted, true);
  const { siteName, supportEmail, ...owner } = await ctx.settings.read('site');
  const token = await makeToken(ctx, { claimed, mail, user, to });
  const facts = { siteName, supportEmail, owner, publicUrl, firstName: greetingNameOf(mail, user), token };
  const message = { ...(await renderMail(mail, facts)), ...routeOf(mail, supportEmail) };
  await sendMessage(server, { ...message, id: claimed.id, to });
}

/** Nobody reads the sender's mailbox, so replies go to support. */
function routeOf({ mail }: Mail, replyTo: string) {
  if (mail === 'ticket_reply') return { replyTo, origin: 'no' as const };
  return mail === 'ticket_received' ? { replyTo, origin: 'auto-replied' as const } : {};
}

/**
 * Returns the name for the greeting. Returns null for an unconfirmed address: otherwise, anyone could sign up with a
 * stranger's address and send a message as their name.
 */
function greetingNameOf(mail: Mail, user: UserRow | undefined): string | null {
  if ('firstName' in mail) return mail.firstName;
  return !('to' in mail) && user?.emailVerified ? user.firstName : null;
}

function readMail({ payload }: ClaimedMessage): Mail {
  const { success, data } = mailSchema.safeParse(payload);
  // This failure isn't permanent, because a newer dispatcher may know this kind of email.
  if (!success) throw new MailError('the mail is none that this version knows', false);
  return data;
}

type LinkRequest = { claimed: ClaimedMessage; mail: Mail; user: UserRow | undefined; to: string };

/** Locks the user, because transactions that withdraw queued emails lock the user too. */
async function makeToken(ctx: Needs<'db'>, { claimed, mail, user, to }: LinkRequest): Promise<string | undefined> {
  if (mail.mail === 'invitation')
    return makeOwnToken(ctx, claimed, (tx, tokenHash) => setInvitationToken(tx, mail.id, tokenHash));
  if (mail.mail === 'confirm_subscription')
    return makeOwnToken(ctx, claimed, (tx, tokenHash) =>
      setSubscriberToken(tx, { id: mail.subscriberId, topics: mail.topics, tokenHash }),
    );
  const link = mailLinks[mail.mail];
  if (!link) return undefined;
  if (!user) throw new MailError(withheldReasons.deleted, true);
  return ctx.db.transaction().execute(async (tx) => {
    const account = await lockUser(tx, user.id);
    const isWanted = await lockOutbox(tx, claimed);
    // The address may have changed since it was read: a link for the previous address would be useless.
    const isTheirs = 'to' in mail || account?.email === to;
    if (!account || !isWanted || !isTheirs) throw new MailError(withheldReasons.takenBack, true);
    return createAccountToken(tx, { userId: user.id, email: to, ...link });
  });
}

/**
 * Creates the token for a link that belongs to no user, in an invitation or a subscription confirmation. `store`:
 * stores the token's hash. Resolves to a falsy value if the link is no longer wanted.
 */
const makeOwnToken = (
  ctx: Needs<'db'>,
  claimed: ClaimedMessage,
  store: (tx: Tx, tokenHash: Buffer) => Promise<unknown>,
): Promise<string> =>
  ctx.db.transaction().execute(async (tx) => {
    const token = makeLinkToken();
    const isValid = await store(tx, hashLinkToken(token));
    if (!isValid || !(await lockOutbox(tx, claimed))) throw new MailError(withheldReasons.takenBack, true);
    return token;
  });
