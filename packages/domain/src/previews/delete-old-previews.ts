import { deletePreviewRows } from '@uprez/db/queries/jobs/previews';
import type { Needs } from '../context.ts';

/** A finished preview's row is of no use once its files are gone: delete those; how many. */
export const deleteOldPreviews = (ctx: Needs<'db'>): Promise<number> => deletePreviewRows(ctx.db);
