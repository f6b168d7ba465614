import { packSchema } from '@uprez/contracts/schemas/admin/settings';
import { parseCents } from '../payments/parse-cents.ts';

const { minValue, maxValue } = packSchema.shape.amount;
/** The smallest and the largest price, in cents. */
export const amountRange = { min: minValue ?? 0, max: maxValue ?? 0 };

/** Cents of a typed price. Undefined if it isn't a price that may be saved. */
export function parseAmount(typed: string): number | undefined {
  const cents = parseCents(typed);
  return packSchema.shape.amount.safeParse(cents).success ? cents : undefined;
}

/** The text of a price in a field. */
export const toTyped = (cents: number | null): string =>
  cents === null ? '' : cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
