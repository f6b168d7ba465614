import { useState } from 'react';
import type { FieldTexts } from './field.tsx';
import { TextField } from './text-field.tsx';

type NumberRange = { min: number; max: number; step?: number };

/** Parses a number; undefined if it is invalid, out of range, or between two steps. */
export function parseNumber(text: string, { min, max, step = 1 }: NumberRange): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= min && number <= max)) return undefined;
  const steps = (number - min) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? number : undefined;
}

/** The allowed number nearest to the input; undefined if the input is not a number. */
export function nearestNumber(text: string, { min, max, step = 1 }: NumberRange): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(number)) return undefined;
  const clamped = Math.min(max, Math.max(min, number));
  return Math.min(max, min + Math.round((clamped - min) / step) * step);
}

type NumberFieldProps = Omit<FieldTexts, 'optional'> &
  NumberRange & {
    value: number | undefined;
    /** Called with valid numbers, and with undefined when the field is emptied. */
    onChange: (value: number | undefined) => void;
    suffix?: string;
    disabled?: boolean;
  };

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
