import { formatDay } from '@uprez/contracts/texts/format';

/** The last day (UTC) on which a coupon is valid that ends at a time: `Dec 31, 2026`. */
export const lastDayOf = (expiresAt: string): string => formatDay(new Date(Date.parse(expiresAt) - 1));
