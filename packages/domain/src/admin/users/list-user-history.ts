import { hasPermission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { type UserJobSort, userJobSorts } from '@uprez/contracts/policy/admin/tables';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { AuditEntryView } from '@uprez/contracts/schemas/admin/logs';
import type { AdminUserEvent } from '@uprez/contracts/schemas/admin/users';
import { describeAction } from '@uprez/contracts/texts/admin/audit-actions';
import { describeChanges, formatChange } from '@uprez/contracts/texts/admin/describe-changes';
import { type BillingCallName, billingCallNames, historyTitles } from '@uprez/contracts/texts/admin/user-history';
import { describeCancellation } from '@uprez/contracts/texts/billing';
import { formatMoney } from '@uprez/contracts/texts/format';
import { describePlan } from '@uprez/contracts/texts/plans';
import { countHistory, type HistoryRow, listHistory } from '@uprez/db/queries/accounts/user-history';
import { findUser } from '@uprez/db/queries/accounts/users';
import { listAuditsById } from '@uprez/db/queries/audit/audit-log';
import { parseSubject } from '@uprez/db/queries/audit/audit-subjects';
import { listUserJobs as listRows } from '@uprez/db/queries/jobs/admin/list-jobs';
import { countJobs, type JobRow } from '@uprez/db/queries/jobs/jobs';
import { listRejectedImages, type RejectedImage } from '@uprez/db/queries/jobs/rejected-images';
import { getByUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import { presentAudits } from '../audit/list-audits.ts';

type HistoryQuery = { userId: string; role: Role | null; cursor?: string | undefined; limit?: number | undefined };

/**
 * Returns a page of an account's history, newest first: payments, refunds, plans, coupons, tickets, and changes by
 * administrators. Omits tickets and administrators' changes if the role doesn't permit reading them. Throws
 * `user_not_found` or `invalid_parameter`.
 */
export async function listUserHistory(
  ctx: Needs<'db'>,
  { userId: id, role, ...page }: HistoryQuery,
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
  const ids = filter.audits ? found.rows.map(auditIdOf).filter((auditId) => auditId !== null) : [];
  const audits = await presentAudits(ctx, await listAuditsById(ctx.db, ids));
  const byId = new Map(audits.map((audit) => [audit.id, audit]));
  return { ...found, rows: found.rows.map((row) => presentUserEvent(row, byId)) };
}

/**
 * Returns the ID of the audit log row for a history entry: the entry itself if it is an audit entry, otherwise the row
 * that identifies the author. Null if there is no such row.
 */
const auditIdOf = ({ id, kind, data }: HistoryRow): string | null =>
  kind === 'audit' ? id.slice('audit-'.length) : data.audit ? String(data.audit) : null;

const formatPlan = ({ tier, interval }: HistoryRow['data']): string =>
  tier === null || tier === undefined ? '' : describePlan(tier as Tier, interval === 'year' ? 'year' : 'month');

const formatAmount = ({ amount, currency }: HistoryRow['data']): string =>
  formatMoney({ amount: Number(amount), currency: String(currency) });

type EventText = Pick<AdminUserEvent, 'title' | 'detail' | 'by'>;
const customerLabel = 'Customer';
const describeByCustomer = (title: string, detail: string | null = null): EventText => ({
  title,
  detail,
  by: customerLabel,
});
const describeWithoutAuthor = (title: string, detail: string | null = null): EventText => ({ title, detail, by: null });
const toText = (value: HistoryRow['data'][string] | undefined) => (value ? String(value) : null);
const describeReasons = ({ feedback, comment }: HistoryRow['data']) =>
  describeCancellation({ feedback: toText(feedback), comment: toText(comment) });
/**
 * Returns the customer as the author if they requested a refund or cancellation themselves. If an administrator did,
 * `addAudit` sets the author instead.
 */
const findCallAuthor = ({ call }: HistoryRow['data']) =>
  customerCallKinds.includes(String(call)) ? customerLabel : null;
const customerCallKinds: readonly string[] = ['end_unpaid', 'money_back'];
const joinLines = (lines: readonly (string | null)[]) => lines.filter(Boolean).join('\n') || null;
const describeCall = ({ call }: HistoryRow['data']): string | null =>
  Object.hasOwn(billingCallNames, String(call)) ? billingCallNames[call as BillingCallName] : null;
const formatInvoice = ({ number }: HistoryRow['data']) => (number ? `Invoice ${number}` : null);
const describeState = (names: Readonly<Record<string, string>>, state: unknown): string =>
  names[String(state)] ?? String(state);

const describers: Record<Exclude<HistoryRow['kind'], 'audit'>, (data: HistoryRow['data']) => EventText> = {
  joined: () => describeByCustomer(historyTitles.joined),
  payment: (data) =>
    describeByCustomer(
      `${describeState(historyTitles.payment, data.state)}: ${formatAmount(data)}`,
      [formatInvoice(data), data.state === 'failed' ? data.failure : null].filter(Boolean).join('. ') || null,
    ),
  refund: (data) => ({
    title: `${describeState(historyTitles.refund, data.state)}: ${formatAmount(data)}`,
    detail: formatInvoice(data),
    by: findCallAuthor(data),
  }),
  dispute: (data) =>
    describeByCustomer(
      `${describeState(historyTitles.dispute, data.state)}: ${formatAmount(data)}`,
      formatInvoice(data),
    ),
  subscribed: (data) => describeByCustomer(`${historyTitles.subscribed} ${formatPlan(data)}`, formatAmount(data)),
  ended: (data) => ({
    title: `${historyTitles.ended} ${formatPlan(data)}`,
    detail: joinLines([data.audit ? null : describeCall(data), ...describeReasons(data)]),
    by: data.audit ? null : findCallAuthor(data),
  }),
  call: (data) => describeByCustomer(describeCall(data) ?? '', joinLines([formatPlan(data), ...describeReasons(data)])),
  coupon: (data) => describeByCustomer(`${describeState(historyTitles.coupon, data.state)} ${data.code}`),
  ticket: (data) => describeByCustomer(`${historyTitles.ticket} ${data.text}`, `#${data.number}, ${data.state}`),
};

function describeAudit(audit: AuditEntryView): EventText {
  const { action, rejected, reason, actor } = audit;
  const changes = describeChanges(audit).map((change) => formatChange(change, audit.names));
  return {
    title: `${describeAction(action)}${rejected === null ? '' : ' (rejected)'}`,
    detail: [...changes, ...(reason ? [`Reason: ${reason}`] : [])].join('\n') || null,
    by: actor.name ?? actor.email ?? null,
  };
}

function addAudit(words: EventText, audit: AuditEntryView | undefined): EventText {
  if (!audit) return words;
  const { by } = describeAudit(audit);
  return { ...words, by, detail: joinLines([words.detail, audit.reason && `Reason: ${audit.reason}`]) };
}

function presentUserEvent(row: HistoryRow, audits: ReadonlyMap<string, AuditEntryView>): AdminUserEvent {
  const { id, at, kind, data } = row;
  const { kind: about, id: subjectId } = parseSubject(row.subject);
  const audit = audits.get(auditIdOf(row) ?? '');
  const words =
    kind === 'audit'
      ? audit
        ? describeAudit(audit)
        : describeWithoutAuthor('')
      : addAudit(describers[kind](data), audit);
  return { id, at: at.toISOString(), ...words, subject: { kind: about, id: subjectId ?? '' } };
}

/** Returns a user's ID exactly as it's stored, because IDs in paths may be uppercase. Throws `user_not_found`. */
export async function requireUserId(ctx: Needs<'db'>, id: string): Promise<string> {
  const user = await getByUuid(id, () => findUser(ctx.db, id), 'user_not_found');
  return user.id;
}

type UserJobFilter = { search?: string | undefined; status?: JobStatus | undefined };

/** Returns a page of a user's images. Throws `user_not_found` or `invalid_parameter`. */
export async function listUserJobs(
  ctx: Needs<'db'>,
  {
    userId,
    sort = userJobSorts[0],
    cursor,
    limit,
    ...filter
  }: { userId: string } & UserJobFilter & TableQuery<UserJobSort>,
): Promise<TablePage<JobRow>> {
  const choice = { accountId: await requireUserId(ctx, userId), kind: 'image', ...filter } as const;
  return readPage(
    { list: `user-jobs:${userId}`, sort, cursor, limit },
    { list: (page) => listRows(ctx.db, { ...choice, ...page }), count: () => countJobs(ctx.db, choice) },
  );
}

const maxShownRows = 100;

/** Returns a user's latest images that were rejected before a job was created. Throws `user_not_found`. */
export const listUserRejectedImages = async ({ db }: Needs<'db'>, userId: string): Promise<RejectedImage[]> =>
  listRejectedImages(db, await requireUserId({ db }, userId), maxShownRows);
