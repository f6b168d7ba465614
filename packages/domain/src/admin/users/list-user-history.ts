import { AppError } from '@uprez/contracts/errors/app-error';
import { hasPermission, type Role } from '@uprez/contracts/policy/admin/permissions';
import { type UserJobSort, userJobSorts } from '@uprez/contracts/policy/admin/tables';
import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Audit } from '@uprez/contracts/schemas/admin/logs';
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
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { readPage, type TablePage, type TableQuery } from '../../read-table.ts';
import { presentAudits } from '../audit/list-audits.ts';

type Query = { userId: string; role: Role | null; cursor?: string | undefined; limit?: number | undefined };

/**
 * Returns a page of an account's history, newest first: payments, refunds, plans, coupons, tickets, and changes by
 * administrators, as far as the role includes them. Throws `user_not_found` or `invalid_parameter`.
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
  const ids = filter.audits ? found.rows.map(auditIdOf).filter((auditId) => auditId !== null) : [];
  const audits = await presentAudits(ctx, await listAuditsById(ctx.db, ids));
  const byId = new Map(audits.map((audit) => [audit.id, audit]));
  return { ...found, rows: found.rows.map((row) => present(row, byId)) };
}

/** Returns the ID of the audit log row behind an entry, or of the row that names its author. */
const auditIdOf = ({ id, kind, data }: HistoryRow): string | null =>
  kind === 'audit' ? id.slice('audit-'.length) : data.audit ? String(data.audit) : null;

const planOf = ({ tier, interval }: HistoryRow['data']): string =>
  tier === null || tier === undefined ? '' : describePlan(tier as Tier, interval === 'year' ? 'year' : 'month');

const moneyOf = ({ amount, currency }: HistoryRow['data']): string =>
  formatMoney({ amount: Number(amount), currency: String(currency) });

type Words = Pick<AdminUserEvent, 'title' | 'detail' | 'by'>;
const customer = 'Customer';
const wordsByCustomer = (title: string, detail: string | null = null): Words => ({ title, detail, by: customer });
const wordsWithoutAuthor = (title: string, detail: string | null = null): Words => ({ title, detail, by: null });
const textOf = (value: HistoryRow['data'][string] | undefined) => (value ? String(value) : null);
const reasonsOf = ({ feedback, comment }: HistoryRow['data']) =>
  describeCancellation({ feedback: textOf(feedback), comment: textOf(comment) });
/**
 * Returns the customer if they requested a refund or cancellation themselves. `addAudit` overrides this for
 * administrators.
 */
const byCall = ({ call }: HistoryRow['data']) => (ownEnds.includes(String(call)) ? customer : null);
const ownEnds: readonly string[] = ['end_unpaid', 'money_back'];
const join = (lines: readonly (string | null)[]) => lines.filter(Boolean).join('\n') || null;
const callName = ({ call }: HistoryRow['data']): string | null =>
  Object.hasOwn(billingCallNames, String(call)) ? billingCallNames[call as BillingCallName] : null;
const invoiceOf = ({ number }: HistoryRow['data']) => (number ? `Invoice ${number}` : null);
const nameOfState = (names: Readonly<Record<string, string>>, state: unknown): string =>
  names[String(state)] ?? String(state);

/** Titles and details of each kind of entry, except for rows of the audit log. */
const describers: Record<Exclude<HistoryRow['kind'], 'audit'>, (data: HistoryRow['data']) => Words> = {
  joined: () => wordsByCustomer(historyTitles.joined),
  payment: (data) =>
    wordsByCustomer(
      `${nameOfState(historyTitles.payment, data.state)}: ${moneyOf(data)}`,
      [invoiceOf(data), data.state === 'failed' ? data.failure : null].filter(Boolean).join('. ') || null,
    ),
  refund: (data) => ({
    title: `${nameOfState(historyTitles.refund, data.state)}: ${moneyOf(data)}`,
    detail: invoiceOf(data),
    by: byCall(data),
  }),
  dispute: (data) =>
    wordsByCustomer(`${nameOfState(historyTitles.dispute, data.state)}: ${moneyOf(data)}`, invoiceOf(data)),
  subscribed: (data) => wordsByCustomer(`${historyTitles.subscribed} ${planOf(data)}`, moneyOf(data)),
  ended: (data) => ({
    title: `${historyTitles.ended} ${planOf(data)}`,
    detail: join([data.audit ? null : callName(data), ...reasonsOf(data)]),
    by: data.audit ? null : byCall(data),
  }),
  call: (data) => wordsByCustomer(callName(data) ?? '', join([planOf(data), ...reasonsOf(data)])),
  coupon: (data) => wordsByCustomer(`${nameOfState(historyTitles.coupon, data.state)} ${data.code}`),
  ticket: (data) => wordsByCustomer(`${historyTitles.ticket} ${data.text}`, `#${data.number}, ${data.state}`),
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

/** Adds the administrator who made the change, and the reason. */
function addAudit(words: Words, audit: Audit | undefined): Words {
  if (!audit) return words;
  const { by } = describeAudit(audit);
  return { ...words, by, detail: join([words.detail, audit.reason && `Reason: ${audit.reason}`]) };
}

function present(row: HistoryRow, audits: ReadonlyMap<string, Audit>): AdminUserEvent {
  const { id, at, kind, data } = row;
  const { kind: about, id: subjectId } = parseSubject(row.subject);
  const audit = audits.get(auditIdOf(row) ?? '');
  const words =
    kind === 'audit'
      ? audit
        ? describeAudit(audit)
        : wordsWithoutAuthor('')
      : addAudit(describers[kind](data), audit);
  return { id, at: at.toISOString(), ...words, subject: { kind: about, id: subjectId ?? '' } };
}

/** Returns a user's ID as it is stored. Throws `user_not_found`. */
export async function requireUserId(ctx: Needs<'db'>, id: string): Promise<string> {
  const user = isUuid(id) ? await findUser(ctx.db, id) : undefined;
  if (!user) throw new AppError('user_not_found');
  return user.id;
}

type Filter = { search?: string | undefined; status?: JobStatus | undefined };

/** Returns a page of a user's images. Throws `user_not_found` or `invalid_parameter`. */
export async function listUserJobs(
  ctx: Needs<'db'>,
  { userId, sort = userJobSorts[0], cursor, limit, ...filter }: { userId: string } & Filter & TableQuery<UserJobSort>,
): Promise<TablePage<JobRow>> {
  const choice = { accountId: await requireUserId(ctx, userId), kind: 'image', ...filter } as const;
  return readPage(
    { list: `user-jobs:${userId}`, sort, cursor, limit },
    { list: (page) => listRows(ctx.db, { ...choice, ...page }), count: () => countJobs(ctx.db, choice) },
  );
}

const shownRows = 100;

/** Returns a user's latest images that were rejected before they had a job. Throws `user_not_found`. */
export const listRejectedOfUser = async ({ db }: Needs<'db'>, userId: string): Promise<RejectedImage[]> =>
  listRejectedImages(db, await requireUserId({ db }, userId), shownRows);
