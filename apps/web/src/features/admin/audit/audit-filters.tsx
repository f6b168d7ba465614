import type { Audit } from '@uprez/contracts/schemas/audit';
import { X } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import type { Table } from '../table/use-table.ts';
import { nameOfActor, nameOfSubject } from './cells.tsx';
import { DayField } from './day-field.tsx';
import { auditMessages as text } from './messages.ts';

/** The days, and the administrator and the subject that were chosen in a row. */
export function AuditFilters({ table: { values, setValues, query } }: { table: Table<Audit> }) {
  const { from, to, actor, subject } = values;
  const row = query.data?.pages[0]?.rows[0];
  const chosen = [
    { name: 'actor', label: actor && text.actorFilter(row ? nameOfActor(row) : actor) },
    { name: 'subject', label: subject && text.subjectFilter(row ? nameOfSubject(row) : subject) },
  ];
  return (
    <>
      <DayField
        label={text.from}
        value={from}
        onChange={(day) => setValues({ from: day, ...(day && to && day > to && { to: undefined }) })}
      />
      <DayField
        label={text.until}
        value={to}
        onChange={(day) => setValues({ to: day, ...(day && from && day < from && { from: undefined }) })}
      />
      {chosen.map(
        ({ name, label }) =>
          label && (
            <Button
              key={name}
              look="secondary"
              aria-label={text.removeFilter(label)}
              onClick={() => setValues({ [name]: undefined })}
            >
              {label}
              <X aria-hidden="true" strokeWidth={1.75} className="size-4" />
            </Button>
          ),
      )}
    </>
  );
}
