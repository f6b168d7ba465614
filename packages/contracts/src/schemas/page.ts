import * as z from 'zod';
import { limits } from '../policy/limits.ts';

export const pageLimitSchema = z.coerce.number().int().min(1).max(limits.maxPageRows).optional();
export const nextCursorSchema = z.string().nullable().describe('`cursor` of the next page. `null` on the last page.');
/** `next_cursor` of lists that always have a single page. */
export const noCursorSchema = z.null().describe('Always `null`.');
