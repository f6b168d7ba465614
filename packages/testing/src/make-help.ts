import type { Db } from '@uprez/db/database';
import { createFirstHelp } from '@uprez/domain/content/first-articles/create-first-pages';

/** Creates the help center and the drafts of positions that the setup creates. */
export const makeHelp = (db: Db): Promise<void> => db.transaction().execute(createFirstHelp);
