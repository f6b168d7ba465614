import { X } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { adminMessages } from '../messages.ts';
import { DayField } from './day-field.tsx';
import type { Table } from './use-table.ts';

const { chosen: text } = adminMessages.table;

type ChosenFiltersProps = {
  table: Pick<Table<unknown>, 'values' | 'setValues'>;
  /** Parameters that are set in rows, such as an account. Those without a label aren't set. */
  chosen?: readonly { name: string; label: string | undefined }[];
  /** Labels of the days, if they aren't the only time of a row. */
  days?: { from: string; to: string };
};

/** The first and last day of the rows, and the filters that were chosen in a row. */
export function ChosenFilters({ table: { values, setValues }, chosen = [], days = text }: ChosenFiltersProps) {
  const { from, to } = values;
  return (
    <>
      <DayField
        label={days.from}
        value={from}
        onChange={(day) => setValues({ from: day, ...(day && to && day > to && { to: undefined }) })}
      />
      <DayField
        label={days.to}
        value={to}
        onChange={(day) => setValues({ to: day, ...(day && from && day < from && { from: undefined }) })}
      />
      {chosen.map(
        ({ name, label }) =>
          label && (
            <Button
              key={name}
              look="secondary"
              aria-label={text.remove(label)}
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
