import { listRejectedImages as listRows, type RejectedImage as Row } from '@uprez/db/queries/jobs/rejected-images';
import type { Needs } from '../../context.ts';
import { requireUserId } from './require-user-id.ts';

export type RejectedImage = Row;

const shownRows = 100;

/** The latest images of a user that were rejected before they had a job. Throws `user_not_found`. */
export const listRejectedImages = async ({ db }: Needs<'db'>, userId: string): Promise<RejectedImage[]> =>
  listRows(db, await requireUserId({ db }, userId), shownRows);
