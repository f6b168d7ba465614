import { useState } from 'react';
import { type NumberRange, nearestNumber, parseNumber } from '../../lib/forms/number-in-range.ts';
import type { FieldTexts } from './field.tsx';
import { TextField } from './text-field.tsx';

type NumberFieldProps = Omit<FieldTexts, 'optional'> &
  NumberRange & {
    value: number | undefined;
    /** Called with valid numbers, and with undefined when the field is emptied. */
    onChange: (value: number | undefined) => void;
    suffix?: string;
    disabled?: boolean;
  };

/** A number field. Invalid input is corrected on blur. */
export function NumberField({ value, onChange, min, max, step = 1, suffix, ...props }: NumberFieldProps) {
  const [draft, setDraft] = useState<string>();
  const range = { min, max, step };
  const type = (text: string) => {
    setDraft(text);
    const number = parseNumber(text, range);
    if (number !== undefined || text === '') onChange(number);
  };
  const leave = () => {
    if (draft !== undefined && parseNumber(draft, range) === undefined) onChange(nearestNumber(draft, range) ?? value);
    setDraft(undefined);
  };
  return (
    <TextField
      {...props}
      type="number"
      inputMode={Number.isInteger(step) ? 'numeric' : 'decimal'}
      min={min}
      max={max}
      step={step}
      value={draft ?? value ?? ''}
      onChange={(event) => type(event.target.value)}
      onBlur={leave}
      className="tabular-nums"
      end={suffix && <span className="pointer-events-none w-12 pr-3 text-right text-muted text-sm">{suffix}</span>}
    />
  );
}
