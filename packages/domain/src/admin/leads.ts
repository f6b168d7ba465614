import { AppError } from '@uprez/contracts/errors/app-error';
import { leadSorts } from '@uprez/contracts/policy/billing/admin-payments';
import { limits } from '@uprez/contracts/policy/limits';
import { salesOnlyTier } from '@uprez/contracts/policy/plans/plans';
import type { AdminLead } from '@uprez/contracts/schemas/billing/admin-payments';
import type { Tx } from '@uprez/db/database';
import { lockLeads } from '@uprez/db/locks';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { hasSubscriptionTo } from '@uprez/db/queries/billing/subscriptions';
import {
  countLeads,
  insertLead,
  type LeadRow,
  listLeads as listRows,
  lockLead,
  lockLeadByEmail,
  recordLink,
} from '@uprez/db/queries/leads/leads';
import { uuidv7 } from 'uuidv7';
import { getByUuid } from '../actor.ts';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';
import { defineTable } from '../read-table.ts';
import type { Administrator } from './administrator.ts';
import { writeAudited } from './payments/write-audited.ts';

const leads = defineTable({
  name: 'leads',
  sorts: leadSorts,
  list: listRows,
  count: countLeads,
  present: (rows) => rows.map(presentLead),
});

/** Returns a page of leads. Throws `invalid_parameter`. */
export const listLeads = leads.page;

/** Streams the leads that match a filter, page by page. Throws `export_too_large`. */
export const exportLeads = leads.export;

function presentLead({ linkSentAt, linkInterval, ...row }: LeadRow): AdminLead {
  const { id, accountId, name, email, company, volume, message, createdAt } = row;
  const isSent = linkSentAt !== null && linkInterval !== null;
  return {
    state: isSent ? 'sent' : 'open',
    createdAt: createdAt.toISOString(),
    link: isSent ? { interval: linkInterval, sentAt: linkSentAt.toISOString() } : null,
    ...{ id, accountId, name, email, company, volume, message },
  };
}

type Interval = PlanPriceRow['interval'];
type Sending = { admin: Administrator; interval: Interval };

/**
 * Emails a lead a link to the Enterprise checkout page. Also lets an account buy Enterprise if it has confirmed this
 * email address. Throws `lead_not_found`, `billing_not_configured`, `price_not_found`, `already_subscribed`, or
 * `rate_limited` if the last link was sent less than a minute ago.
 */
export const sendCheckoutLink = (ctx: Needs<'db'>, { id, ...sending }: Sending & { id: string }): Promise<AdminLead> =>
  send(ctx, sending, async (tx) => {
    return getByUuid(id, () => lockLead(tx, id), 'lead_not_found');
  });

/**
 * Sends a checkout link to an email address. Creates a lead for the address if it isn't a lead yet. Throws the errors
 * of `sendCheckoutLink`, except for `lead_not_found`.
 */
export const inviteLead = (ctx: Needs<'db'>, { email, ...sending }: Sending & { email: string }): Promise<AdminLead> =>
  send(ctx, sending, async (tx) => {
    await lockLeads(tx, email);
    const known = await lockLeadByEmail(tx, email);
    return known ?? (await insertLead(tx, { id: uuidv7(), accountId: null, email, ...emptyLeadFields }));
  });

const emptyLeadFields = { name: '', company: '', volume: '', message: '' };

async function send(
  ctx: Needs<'db'>,
  { admin, interval }: Sending,
  find: (tx: Tx) => Promise<LeadRow>,
): Promise<AdminLead> {
  const { amount, currency } = await getOfferedPrice(ctx, interval);
  const audit = { admin, action: 'lead.send_link', subject: 'lead' };
  return await writeAudited(ctx, audit, async (tx) => {
    const before = await find(tx);
    const { id, email } = before;
    if (await hasSubscriptionTo(tx, { email, tier: salesOnlyTier }))
      throw new AppError('already_subscribed', {
        detail: 'The account with this email address already has this plan.',
      });
    const after = await recordLink(tx, { id, interval, sentBy: admin.accountId }, limits.linkMailSeconds);
    if (!after) throw new AppError('rate_limited', { detail: tooSoon, meta: { retryAfterS: limits.linkMailSeconds } });
    await queueMail(tx, undefined, {
      mail: 'checkout_link',
      to: email,
      tier: salesOnlyTier,
      interval,
      amount,
      currency,
    });
    return {
      result: presentLead(after),
      subject: `lead:${id}`,
      before: toAuditedLink(before),
      after: toAuditedLink(after),
    };
  });
}

const tooSoon = 'A link was sent to this email address less than a minute ago. Try again later.';

const toAuditedLink = ({ linkInterval, linkSentAt }: LeadRow) => ({
  interval: linkInterval,
  sentAt: linkSentAt?.toISOString() ?? null,
});

async function getOfferedPrice({ db }: Needs<'db'>, interval: Interval): Promise<PlanPriceRow> {
  const prices = (await listPlanPrices(db)).filter(({ tier }) => tier === salesOnlyTier);
  const price = prices.find((one) => one.interval === interval);
  if (price) return price;
  if (prices.length === 0) throw new AppError('billing_not_configured');
  throw new AppError('price_not_found', { detail: `This plan isn't sold by the ${interval}. Set its price first.` });
}
