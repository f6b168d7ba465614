import { auditSorts } from '@uprez/contracts/policy/admin/logs';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans/plans';
import type { AuditEntryView } from '@uprez/contracts/schemas/admin/logs';
import { type AuditRow, countAudits, listAudits as listRows, listUserNames } from '@uprez/db/queries/audit/audit-log';
import { listSubjectFacts, parseSubject, type SubjectFacts } from '@uprez/db/queries/audit/audit-subjects';
import { isUuid } from '../../actor.ts';
import type { Needs } from '../../context.ts';
import { defineTable } from '../../read-table.ts';

const audits = defineTable({
  name: 'audits',
  sorts: auditSorts,
  list: listRows,
  count: countAudits,
  present: (rows, ctx) => presentAudits(ctx, rows),
});

/** Returns a page of the audit log. Throws `invalid_parameter`. */
export const listAudits = audits.page;

/** Streams the audit log rows that match a filter, page by page. Throws `export_too_large`. */
export const exportAudits = audits.export;

type Named = { email: string | null; name: string | null };
/** `people`: names by account ID. `facts`: details about subjects, by kind and ID. */
type AuditLookups = { people: Map<string, Named>; facts: Map<string, SubjectFacts> };
const nobody: Named = { email: null, name: null };

const keyOf = (kind: string, id: string) => `${kind}:${id}`;

const stripeKinds: Readonly<Record<string, string>> = { in: 'invoice', sub: 'subscription' };

function extractIds(value: unknown): { kind: string; id: string }[] {
  if (typeof value === 'string') {
    const kind = isUuid(value) ? 'user' : stripeKinds[/^([a-z]+)_\w+$/.exec(value)?.[1] ?? ''];
    return kind ? [{ kind, id: value }] : [];
  }
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(extractIds) : [];
}

const extractAuditIds = ({ before, after }: AuditRow) => [...extractIds(before), ...extractIds(after)];

async function readFacts({ db }: Needs<'db'>, subjects: readonly { kind: string; id: string | null }[]) {
  const ids = new Map<string, Set<string>>();
  for (const { kind, id } of subjects) if (id !== null) ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
  const listed = [...ids].map(async ([kind, ofKind]) =>
    (await listSubjectFacts(db, kind, [...ofKind])).map((facts) => [keyOf(kind, facts.id), facts] as const),
  );
  return new Map((await Promise.all(listed)).flat());
}

/** Maps audit log rows for administrators. Adds the names of the people and subjects that the rows mention. */
export async function presentAudits(ctx: Needs<'db'>, rows: readonly AuditRow[]): Promise<AuditEntryView[]> {
  const accounts = rows.flatMap((row) => [
    row.actorId,
    row.accountId,
    ...extractAuditIds(row).map(({ kind, id }) => (kind === 'user' ? id : null)),
  ]);
  const [found, facts] = await Promise.all([
    listUserNames(ctx.db, [...new Set(accounts.filter((id) => id !== null))]),
    readFacts(ctx, [...rows.map(({ subject }) => parseSubject(subject)), ...rows.flatMap(extractAuditIds)]),
  ]);
  const people = new Map<string, Named>(
    found.map(({ id, email, firstName, lastName }) => [
      id,
      { email, name: [firstName, lastName].filter(Boolean).join(' ') || null },
    ]),
  );
  return rows.map((row) => present(row, { people, facts }));
}

function actorOf({ actorId: id, actorEmail, action }: AuditRow, { people }: AuditLookups): AuditEntryView['actor'] {
  if (id !== null) return { kind: 'account', id, ...(people.get(id) ?? nobody) };
  if (action.startsWith('recovery.')) return { kind: 'operator', id, ...nobody };
  return { kind: 'deleted', id, email: actorEmail, name: null };
}

/**
 * Returns the name of a subject. For a subscription, the label is a plan's ID, so this returns the plan's name instead.
 */
const nameOf = (kind: string, label: string | null) =>
  kind === 'subscription' && label !== null && Object.hasOwn(currentPlans, label)
    ? currentPlans[label as Tier].name
    : label;

function presentSubject({ subject, accountId }: AuditRow, { people, facts }: AuditLookups): AuditEntryView['subject'] {
  const { kind, id } = parseSubject(subject);
  const { label = null, amount = null, currency = null } = facts.get(keyOf(kind, id ?? '')) ?? {};
  const owner = people.get(accountId ?? '') ?? nobody;
  return { kind, id, label: nameOf(kind, label), amount, currency, accountId, ...owner };
}

const namesOf = (row: AuditRow, { people, facts }: AuditLookups): AuditEntryView['names'] =>
  Object.fromEntries(
    extractAuditIds(row).flatMap(({ kind, id }) => {
      const person = people.get(id);
      const name = person ? (person.name ?? person.email) : nameOf(kind, facts.get(keyOf(kind, id))?.label ?? null);
      return name ? [[id, name]] : [];
    }),
  );

const present = (row: AuditRow, found: AuditLookups): AuditEntryView => ({
  id: row.id,
  action: row.action,
  actor: actorOf(row, found),
  role: row.role,
  subject: presentSubject(row, found),
  before: row.before,
  after: row.after,
  names: namesOf(row, found),
  reason: row.reason,
  address: row.address,
  requestId: row.requestId,
  rejected: row.rejected,
  createdAt: row.createdAt.toISOString(),
});
