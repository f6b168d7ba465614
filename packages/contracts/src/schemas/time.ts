import * as z from 'zod';

/**
 * A time before the year 10000 in UTC, because responses can't contain later years. An offset can move a time in 9999
 * into the next year.
 */
export const timeSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) < Date.UTC(10_000, 0), { error: 'Enter a time before the year 10000.' });

/**
 * A day (UTC) for which records can exist. The minimum also keeps calculations away from year 0, which doesn't exist in
 * PostgreSQL.
 */
export const pastDaySchema = z.iso
  .date()
  .refine((text) => text >= '2000', { error: 'Choose a date from the year 2000 on.' });
