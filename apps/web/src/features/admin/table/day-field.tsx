import { useEffect, useId, useRef } from 'react';
import { inputStyle } from '../../../ui/controls/field.tsx';

type DayFieldProps = { label: string; value: string | undefined; onChange: (day: string | undefined) => void };

/** A day, or none. A day that is still being typed isn't reported. */
export function DayField({ label, value = '', onChange }: DayFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // React would remove what is being typed from a controlled field.
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
