import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type ArticleFields, articleFieldsSchema } from '@uprez/contracts/schemas/content/articles';
import * as z from 'zod';
import { randomUuid } from '../../../../lib/browser/random-id.ts';

const keptSchema = z.object({ fields: articleFieldsSchema, version: z.int() });
/** Changes that were not saved, and the version that they are based on. */
export type KeptDraft = { fields: ArticleFields; version: number };

/** Cleared with the data of the account, because of its prefix. */
const nameOf = (id: string) => `uprez.draft.${id}`;

function ignoreErrors<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    // The browser denies storage or has none left, or the entry is damaged.
    return undefined;
  }
}

/** Keeps unsaved changes in this tab, so that they outlive a sign-in or a reload. */
export const keepDraft = (id: string, draft: KeptDraft): void =>
  void ignoreErrors(() => sessionStorage.setItem(nameOf(id), JSON.stringify(draft)));

export const forgetDraft = (id: string): void => void ignoreErrors(() => sessionStorage.removeItem(nameOf(id)));

const nameOfNew = (kind: ArticleKind) => nameOf(`new.${kind}`);

/** Remembers which new article has unsaved changes; undefined: none. */
export const keepNewId = (kind: ArticleKind, id: string | undefined): void =>
  void ignoreErrors(() =>
    id === undefined ? sessionStorage.removeItem(nameOfNew(kind)) : sessionStorage.setItem(nameOfNew(kind), id),
  );

/** The ID of a new article of a kind: that of the last one in this tab if it has unsaved changes. */
export function newArticleId(kind: ArticleKind): string {
  const last = ignoreErrors(() => sessionStorage.getItem(nameOfNew(kind)));
  return last && findKeptDraft(last) ? last : randomUuid();
}

export const findKeptDraft = (id: string): KeptDraft | undefined =>
  ignoreErrors(() => keptSchema.parse(JSON.parse(sessionStorage.getItem(nameOf(id)) ?? '')));
