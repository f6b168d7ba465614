import type { Audit } from '@uprez/contracts/schemas/audit';
import { ChosenFilters } from '../table/chosen-filters.tsx';
import type { Table } from '../table/use-table.ts';
import { nameOfAccount, nameOfActor, nameOfSubject } from './cells.tsx';
import { auditMessages as text } from './messages.ts';

/** The days, and the administrator and the subject that were chosen in a row. */
export function AuditFilters({ table }: { table: Table<Audit> }) {
  const { actor, subject, account } = table.values;
  const row = table.query.data?.pages[0]?.rows[0];
  const chosen = [
    { name: 'actor', label: actor && text.actorFilter(row ? nameOfActor(row) : actor) },
    { name: 'subject', label: subject && text.subjectFilter(row ? nameOfSubject(row) : subject) },
    { name: 'account', label: account && text.accountFilter(row ? nameOfAccount(row, account) : account) },
  ];
  return <ChosenFilters table={table} chosen={chosen} />;
}
