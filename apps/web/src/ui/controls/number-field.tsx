import { formatCount } from '@uprez/contracts/texts/format';
import { type FocusEvent, useState } from 'react';
import { announce } from '../../lib/notifications/announce.ts';
import type { FieldTexts } from './field.tsx';
import { TextField } from './text-field.tsx';

type NumberRange = { min: number; max: number; step?: number };

const messages = {
  whole: (min: string, max: string) => `Enter a whole number from ${min} to ${max}.`,
  decimal: (min: string, max: string, places: number) =>
    `Enter a number from ${min} to ${max}, with at most ${places} decimals.`,
};

/** Parses a number. Returns undefined if it is invalid, out of range, or between two steps. */
export function parseNumber(text: string, { min, max, step = 1 }: NumberRange): number | undefined {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= min && number <= max)) return undefined;
  const steps = (number - min) / step;
  return Math.abs(steps - Math.round(steps)) < 1e-6 ? number : undefined;
}

/** Returns the accepted range as an instruction. */
export function describeRange({ min, max, step = 1 }: NumberRange): string {
  const [least, most] = [formatCount(min), formatCount(max)];
  return Number.isInteger(step)
    ? messages.whole(least, most)
    : messages.decimal(least, most, String(step).split('.')[1]?.length ?? 0);
}

type NumberFieldProps = Omit<FieldTexts, 'optional'> &
  NumberRange & {
    value: number | undefined;
    /** Called with valid numbers, and with undefined when the field is empty or its number is not accepted. */
    onChange: (value: number | undefined) => void;
    suffix?: string;
    disabled?: boolean;
  };

/** Keeps the user's input until the field is left with a valid number or the value is changed elsewhere. */
function useDraft(value: number | undefined, range: NumberRange) {
  const [draft, setDraft] = useState<string>();
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value !== undefined && draft !== undefined && parseNumber(draft, range) !== value) setDraft(undefined);
  }
  return [draft, setDraft] as const;
}

/** A number field. Keeps invalid input, with an error, and is `:invalid` until it is corrected. */
export function NumberField({ value, onChange, min, max, step = 1, suffix, error, ...props }: NumberFieldProps) {
  const range = { min, max, step };
  const [draft, setDraft] = useDraft(value, range);
  const [isRefused, setRefused] = useState(false);
  const type = (text: string) => {
    const number = parseNumber(text, range);
    setDraft(text);
    if (number !== undefined || text === '') setRefused(false);
    onChange(number);
  };
  const leave = ({ target }: FocusEvent<HTMLInputElement>) => {
    const { valid } = target.validity;
    setRefused(!valid);
    if (valid) setDraft(undefined);
    else announce(describeRange(range));
  };
  const shown = draft ?? value ?? '';
  return (
    <TextField
      {...props}
      type="number"
      inputMode={Number.isInteger(step) ? 'numeric' : 'decimal'}
      min={min}
      max={max}
      step={step}
      value={shown}
      onChange={(event) => type(event.target.value)}
      onBlur={leave}
      error={isRefused && draft !== undefined ? describeRange(range) : error}
      className="tabular-nums"
      end={suffix && <span className="pointer-events-none w-12 pr-3 text-right text-muted text-sm">{suffix}</span>}
    />
  );
}
