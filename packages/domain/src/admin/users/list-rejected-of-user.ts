import { listRejectedImages, type RejectedImage } from '@uprez/db/queries/jobs/rejected-images';
import type { Needs } from '../../context.ts';
import { requireUserId } from './require-user-id.ts';

const shownRows = 100;

/** The latest images of a user that were rejected before they had a job. Throws `user_not_found`. */
export const listRejectedOfUser = async ({ db }: Needs<'db'>, userId: string): Promise<RejectedImage[]> =>
  listRejectedImages(db, await requireUserId({ db }, userId), shownRows);
