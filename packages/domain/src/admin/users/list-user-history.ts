import { hasPermission, type Role } from '@uprez/contracts/policy/permissions';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans';
import type { AdminUserEvent } from '@uprez/contracts/schemas/admin-user-details';
import type { Audit } from '@uprez/contracts/schemas/audit';
import { describeAction } from '@uprez/contracts/texts/audit-actions';
import { describeChanges, formatChange } from '@uprez/contracts/texts/describe-changes';
import { formatMoney } from '@uprez/contracts/texts/format';
import { type BillingCallName, billingCallNames, historyTitles } from '@uprez/contracts/texts/user-history';
import { parseSubject } from '@uprez/db/queries/accounts/audit-subjects';
import { listAuditsById } from '@uprez/db/queries/accounts/list-audits';
import { countHistory, type HistoryRow, listHistory } from '@uprez/db/queries/accounts/user-history';
import type { Needs } from '../../context.ts';
import { readPage, type TablePage } from '../../read-table.ts';
import { presentAudits } from '../audit/present-audits.ts';
import { requireUserId } from './require-user-id.ts';

type Query = { userId: string; role: Role | null; cursor?: string | undefined; limit?: number | undefined };

/**
 * What happened to an account, the latest first: payments, refunds, plans, coupons, tickets, and what administrators did, as far
 * as the role includes it. Throws `user_not_found` or `invalid_parameter`.
 */
export async function listUserHistory(
  ctx: Needs<'db'>,
  { userId: id, role, ...page }: Query,
): Promise<TablePage<AdminUserEvent>> {
  const userId = await requireUserId(ctx, id);
  const filter = {
    userId,
    calls: Object.keys(billingCallNames),
    tickets: hasPermission(role, 'inbox.manage'),
    audits: hasPermission(role, 'logs.read'),
  };
  const found = await readPage(
    { list: `user-history:${userId}`, sort: '-at', ...page },
    { list: (part) => listHistory(ctx.db, { ...filter, ...part }), count: () => countHistory(ctx.db, filter) },
  );
  const ids = found.rows.filter(({ kind }) => kind === 'audit').map((row) => auditIdOf(row));
  const audits = await presentAudits(ctx, await listAuditsById(ctx.db, ids));
  const byId = new Map(audits.map((audit) => [audit.id, audit]));
  return { ...found, rows: found.rows.map((row) => present(row, byId)) };
}

const auditIdOf = ({ id }: HistoryRow) => id.slice('audit-'.length);

const planOf = ({ tier, interval }: HistoryRow['data']): string =>
  tier === null || tier === undefined
    ? ''
    : `${currentPlans[tier as Tier].name}, ${interval === 'year' ? 'yearly' : 'monthly'}`;

const moneyOf = ({ amount, currency }: HistoryRow['data']): string =>
  formatMoney({ amount: Number(amount), currency: String(currency) });

type Words = Pick<AdminUserEvent, 'title' | 'detail' | 'by'>;
const customer = 'Customer';
const own = (title: string, detail: string | null = null): Words => ({ title, detail, by: customer });
const other = (title: string, detail: string | null = null): Words => ({ title, detail, by: null });
const invoiceOf = ({ number }: HistoryRow['data']) => (number ? `Invoice ${number}` : null);
const named = (names: Readonly<Record<string, string>>, state: unknown): string =>
  names[String(state)] ?? String(state);

/** What each kind is called, except rows of the audit log. */
const describers: Record<Exclude<HistoryRow['kind'], 'audit'>, (data: HistoryRow['data']) => Words> = {
  joined: () => own(historyTitles.joined),
  payment: (data) =>
    own(
      `${named(historyTitles.payment, data.state)}: ${moneyOf(data)}`,
      [invoiceOf(data), data.state === 'failed' ? data.failure : null].filter(Boolean).join('. ') || null,
    ),
  refund: (data) => other(`${named(historyTitles.refund, data.state)}: ${moneyOf(data)}`, invoiceOf(data)),
  dispute: (data) => own(`${named(historyTitles.dispute, data.state)}: ${moneyOf(data)}`, invoiceOf(data)),
  subscribed: (data) => own(`${historyTitles.subscribed} ${planOf(data)}`, moneyOf(data)),
  ended: (data) => other(`${historyTitles.ended} ${planOf(data)}`),
  call: (data) => own(billingCallNames[data.call as BillingCallName], planOf(data) || null),
  coupon: (data) => own(`${named(historyTitles.coupon, data.state)} ${data.code}`),
  ticket: (data) => own(`${historyTitles.ticket} ${data.text}`, `#${data.number}, ${data.state}`),
};

function describeAudit(audit: Audit): Words {
  const { action, rejected, reason, actor } = audit;
  const changes = describeChanges(audit).map((change) => formatChange(change, audit.names));
  return {
    title: `${describeAction(action)}${rejected === null ? '' : ' (rejected)'}`,
    detail: [...changes, ...(reason ? [`Reason: ${reason}`] : [])].join('\n') || null,
    by: actor.name ?? actor.email ?? null,
  };
}

function present(row: HistoryRow, audits: ReadonlyMap<string, Audit>): AdminUserEvent {
  const { id, at, kind, data } = row;
  const { kind: about, id: subjectId } = parseSubject(row.subject);
  const audit = kind === 'audit' ? audits.get(auditIdOf(row)) : undefined;
  const words = kind === 'audit' ? (audit ? describeAudit(audit) : other('')) : describers[kind](data);
  return { id, at: at.toISOString(), ...words, subject: { kind: about, id: subjectId ?? '' } };
}
