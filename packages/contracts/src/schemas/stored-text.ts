import * as z from 'zod';

/** Whether PostgreSQL can store a string. It can't store NUL characters or lone surrogates. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text);

/** Removes characters that change the direction of the text after them, and trims the string. */
export const removeBidi = (text: string): string => text.replaceAll(/\p{Bidi_Control}/gu, '').trim();

/** A string that is stored unchanged. For names and single lines, use `lineSchema`. */
export const storedTextSchema = z
  .string()
  .refine(isStorable, { error: "Text can't contain NUL or invalid Unicode characters." });
