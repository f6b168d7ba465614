import { randomBytes } from 'node:crypto';

/** Returns an ID in Stripe's format, such as `cus_5f1c…`. */
export const makeId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;
