import { randomUUID } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { insertArticle, updateArticle } from '@uprez/db/queries/content/articles';
import { storeSearchText } from '@uprez/db/queries/content/help-search';
import { rendererVersion } from '@uprez/domain/content/text/render-text';
import { sql } from 'kysely';

const wordsPerArticle = 400;
const batch = 100;
const syllables = [
  'ba',
  'cor',
  'del',
  'fin',
  'gra',
  'hol',
  'jun',
  'lim',
  'mar',
  'nop',
  'pel',
  'ros',
  'sti',
  'tur',
  'vex',
];
/** Words by how common they are. */
const vocabulary = syllables.flatMap((a) => syllables.flatMap((b) => syllables.map((c) => a + b + c)));

/** Numbers from 0 to 1, always the same ones (Park and Miller, "Random number generators", 1988). */
function openRandom(): () => number {
  let state = 42;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/**
 * Publishes help articles of 400 words, in which the word of rank n is about 1/n times as common as the first one (Zipf's
 * law). Returns the vocabulary, the most common word first.
 */
export async function seedHelp(db: Db, count: number): Promise<readonly string[]> {
  const random = openRandom();
  const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? '';
  const text = (words: number) => Array.from({ length: words }, word).join(' ');
  for (let done = 0; done < count; done += batch)
    await db.transaction().execute(async (tx) => {
      for (let index = 0; index < batch; index += 1) {
        const id = randomUUID();
        const [title, excerpt, body] = [text(6), text(20), text(wordsPerArticle)];
        await insertArticle(tx, { id, kind: 'help', authorId: null });
        const publicSince = { status: 'published' as const, publishedAt: new Date(), revisedAt: new Date() };
        const rendered = { contentMd: body, html: `<p>${body}</p>`, rendererVersion, readingMinutes: 2 };
        await updateArticle(tx, id, { title, slug: id, excerpt, ...rendered, ...publicSince });
        await storeSearchText(tx, { articleId: id, title, excerpt, body });
      }
    });
  await sql`analyze articles, article_search, search_words`.execute(db);
  return vocabulary;
}
