import { formatDay } from '@uprez/contracts/texts/format';

/** Returns the last day (UTC) on which a coupon is valid, such as `Dec 31, 2026`. `expiresAt` is an exclusive bound. */
export const lastDayOf = (expiresAt: string): string => formatDay(new Date(Date.parse(expiresAt) - 1));
