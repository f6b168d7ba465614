import { deletePreviewRows } from '@uprez/db/queries/jobs/previews';
import type { Needs } from '../context.ts';

/** Delete finished previews that have no files left; returns how many. */
export const deleteOldPreviews = (ctx: Needs<'db'>): Promise<number> => deletePreviewRows(ctx.db);
