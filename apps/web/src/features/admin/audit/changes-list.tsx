import type { Audit } from '@uprez/contracts/schemas/admin/audit';
import { describeChanges } from '@uprez/contracts/texts/admin/describe-changes';
import { formatField } from '@uprez/contracts/texts/admin/format-field';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { formatTime } from '../../../lib/format/format.ts';
import { auditMessages as text } from './messages.ts';

type ChangesListProps = {
  row: Pick<Audit, 'before' | 'after'> & Partial<Pick<Audit, 'names'>>;
  /** Number of changes that are shown before the list is expanded. */
  shownChanges?: number;
};

/** The fields that changed, with their values before and after. */
export function ChangesList({ row, shownChanges = 3 }: ChangesListProps) {
  const [isOpen, setOpen] = useState(false);
  const changes = describeChanges(row);
  const shown = isOpen ? changes : changes.slice(0, shownChanges);
  if (changes.length === 0) return <span className="text-muted text-xs">{text.noChanges}</span>;
  return (
    <div className="grid justify-items-end gap-1 sm:justify-items-start">
      <ul className="grid gap-1 text-xs">
        {shown.map(({ field, before, after }) => (
          <li key={field}>
            <span className="text-muted">{`${field}: `}</span>
            {before !== undefined && (
              <>
                <span>{formatValue(field, before, row.names)}</span>
                <ArrowRight
                  role="img"
                  aria-label={text.to}
                  strokeWidth={1.75}
                  className="mx-1 inline size-3 text-muted"
                />
              </>
            )}
            <span className="font-medium">{formatValue(field, after, row.names)}</span>
          </li>
        ))}
      </ul>
      {changes.length > shownChanges && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="text-muted text-xs underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? text.fewer : text.more(changes.length - shownChanges)}
        </button>
      )}
    </div>
  );
}

/** Formats the value of a field, with times in the browser's time zone. */
const formatValue = (field: string, text: string, names?: Readonly<Record<string, string>>): string =>
  formatField(field, text, { names, time: formatTime });
