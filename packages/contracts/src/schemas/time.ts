import * as z from 'zod';

/** With an offset, a time of the year 9999 may be one of the year 10000. Responses can't contain it. */
export const timeSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) < Date.UTC(10_000, 0), { error: 'Enter a time before the year 10000.' });
