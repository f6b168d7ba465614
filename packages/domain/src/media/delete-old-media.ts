import { mediaLimits } from '@uprez/contracts/policy/media';
import { purgeMedia, purgeSuperseded } from '@uprez/db/queries/media/media-files';
import type { Needs } from '../context.ts';

/** Pages that were loaded before a file was replaced may still ask for its earlier version. */
const supersededS = 86_400;

/** Deletes files that can no longer be restored, and earlier versions of replaced files. Returns how many. Safe to repeat. */
export const deleteOldMedia = ({ db }: Needs<'db'>): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const superseded = await purgeSuperseded(tx, supersededS);
    return superseded + (await purgeMedia(tx, mediaLimits.deletedDays * 86_400));
  });
