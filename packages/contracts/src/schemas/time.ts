import * as z from 'zod';

/** With an offset, a time in the year 9999 can be in the year 10000 in UTC, which responses can't contain. */
export const timeSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) < Date.UTC(10_000, 0), { error: 'Enter a time before the year 10000.' });

/**
 * A day (UTC) that can have records. The minimum also keeps date calculations out of year 0, which PostgreSQL doesn't
 * have.
 */
export const pastDaySchema = z.iso
  .date()
  .refine((text) => text >= '2000', { error: 'Choose a date from the year 2000 on.' });
