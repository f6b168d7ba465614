import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { inputStyle } from '../../../ui/controls/field.tsx';
import { adminMessages } from '../messages.ts';
import type { Table } from './use-table.ts';

const { chosen: text } = adminMessages.table;

type ChosenFiltersProps = {
  table: Pick<Table<unknown>, 'values' | 'setValues'>;
  /** Filters set outside the toolbar, such as an account. A filter without a label isn't set. */
  chosen?: readonly { name: string; label: string | undefined }[];
  /** Labels of the day fields, for rows with more than one time. */
  days?: { from: string; to: string };
};

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

type DayFieldProps = { label: string; value: string | undefined; onChange: (day: string | undefined) => void };

/** A partially typed day isn't reported. */
function DayField({ label, value = '', onChange }: DayFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Leaves the field uncontrolled, because React would clear a partially typed day in a controlled field.
  useEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value;
  }, [value]);
  return (
    <span className="flex items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className="text-muted text-sm max-sm:w-12">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        type="date"
        min="2000-01-01"
        max="2999-12-31"
        defaultValue={value}
        className={inputStyle}
        onChange={({ target }) => {
          if (target.validity.valid) onChange(target.value || undefined);
        }}
      />
    </span>
  );
}
