import type Stripe from 'stripe';
import { invalidRequestError, missingResourceError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** Returns one page of `rows`, which must be sorted newest first. Cursors are row IDs. */
export function listPage<T extends { id: string; object?: string }>(
  rows: readonly T[],
  params: Stripe.PaginationParams,
  url: string,
): { object: 'list'; data: T[]; has_more: boolean; url: string } {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = params;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalidRequestError(`Limit must be between 1 and ${MAX_LIMIT}.`, {
      code: 'parameter_invalid_integer',
      param: 'limit',
    });
  if (after && before)
    throw invalidRequestError('You may only specify one of these parameters: ending_before, starting_after.');
  if (before) {
    const newer = rows.slice(0, findCursorIndex(rows, { id: before, param: 'ending_before' }));
    return { object: 'list', data: newer.slice(-limit), has_more: newer.length > limit, url };
  }
  const older = after ? rows.slice(findCursorIndex(rows, { id: after, param: 'starting_after' }) + 1) : rows;
  return { object: 'list', data: older.slice(0, limit), has_more: older.length > limit, url };
}

function findCursorIndex(
  rows: readonly { id: string; object?: string }[],
  cursor: { id: string; param: string },
): number {
  const index = rows.findIndex(({ id }) => id === cursor.id);
  if (index < 0) throw missingResourceError(rows[0]?.object ?? 'object', cursor);
  return index;
}

/**
 * Returns whether a field matches the parameter of a list that filters by it. A time also matches a range that contains
 * it, and an object matches its ID. Without a parameter, everything matches.
 */
export function matchesFilter(field: unknown, param: unknown): boolean {
  if (param === undefined || param === null || param === '') return true;
  if (typeof param === 'object') return isWithin(Number(field), param);
  const id: unknown = typeof field === 'object' && field && 'id' in field ? field.id : field;
  return id === param;
}

function isWithin(time: number, range: Wire<Stripe.RangeQueryParam>): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return time > gt && time >= gte && time < lt && time <= lte;
}
