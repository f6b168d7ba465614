export type NumberRange = { min: number; max: number; step?: number };

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
