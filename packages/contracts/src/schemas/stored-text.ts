import * as z from 'zod';

/** Whether PostgreSQL can store a string: it contains no NUL and no lone surrogates. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);

/** Removes characters that change the direction of the text after them, and trims the string. */
export const removeBidi = (text: string): string => text.replaceAll(/\p{Bidi_Control}/gu, '').trim();

/** Text that is stored unchanged. For names and single lines, see `lineSchema`. */
export const storedTextSchema = z
  .string()
  .refine(isStorable, { error: "Text can't contain NUL or invalid Unicode characters." });
