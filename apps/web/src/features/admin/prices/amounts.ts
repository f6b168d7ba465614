import { packSchema } from '@uprez/contracts/schemas/admin/settings';
import { parseCents } from '../payments/parse-cents.ts';

const { minValue, maxValue } = packSchema.shape.amount;
/** The smallest and the largest price, in cents. */
export const amountRange = { min: minValue ?? 0, max: maxValue ?? 0 };

/** Returns the cents of a typed price, or undefined if the price isn't allowed. */
export function parseAmount(typed: string): number | undefined {
  const cents = parseCents(typed);
  return packSchema.shape.amount.safeParse(cents).success ? cents : undefined;
}

/** Formats cents as the dollars of a text field. Returns an empty string for null. */
export const toTyped = (cents: number | null): string =>
  cents === null ? '' : cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
