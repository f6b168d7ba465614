import { publishDue } from '@uprez/db/queries/content/articles';
import type { Needs } from '../context.ts';

/** Publishes the scheduled articles whose time has come. Returns how many. Safe to run in several processes at once. */
export async function publishDueArticles({ db }: Needs<'db'>): Promise<number> {
  let count = 0;
  for (let published = await publishDue(db); published.length > 0; published = await publishDue(db))
    count += published.length;
  return count;
}
