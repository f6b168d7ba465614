import * as z from 'zod';

/** Text as the database takes it: no NUL, and no half of a pair that stands alone. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);

/** Text that is stored as it was sent. What is a name or a line besides: `lineSchema`. */
export const storedTextSchema = z
  .string()
  .refine(isStorable, { error: 'A text may hold neither NUL nor half of a character.' });
