import * as z from 'zod';

/** With an offset, a time of the year 9999 may be one of the year 10000. Responses can't contain it. */
export const timeSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) < Date.UTC(10_000, 0), { error: 'Enter a time before the year 10000.' });

/** A day in UTC that rows can be of. PostgreSQL has no year 0, which the days before the first years are in. */
export const pastDaySchema = z.iso
  .date()
  .refine((text) => text >= '2000', { error: 'Choose a date from the year 2000 on.' });
