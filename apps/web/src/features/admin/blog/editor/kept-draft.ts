import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { type ArticleFields, articleFieldsSchema } from '@uprez/contracts/schemas/content/articles';
import * as z from 'zod';
import { ignoreErrors } from '../../../../lib/browser/ignore-errors.ts';
import { randomUuid } from '../../../../lib/browser/random-id.ts';

const keptSchema = z.object({ fields: articleFieldsSchema, version: z.int() });
/** Unsaved changes, and the version that they are based on. */
export type KeptDraft = { fields: ArticleFields; version: number };

/** Storage key of a draft. The prefix makes sure that the draft is deleted together with the account's other data. */
const draftKey = (id: string) => `uprez.draft.${id}`;

/** Stores unsaved changes in this tab, because they must survive a sign-in or a reload. */
export const keepDraft = (id: string, draft: KeptDraft): void =>
  void ignoreErrors(() => sessionStorage.setItem(draftKey(id), JSON.stringify(draft)));

export const forgetDraft = (id: string): void => void ignoreErrors(() => sessionStorage.removeItem(draftKey(id)));

const newDraftKey = (kind: ArticleKind) => draftKey(`new.${kind}`);

/** Stores the ID of a new article that has unsaved changes. Undefined removes the ID. */
export const keepNewId = (kind: ArticleKind, id: string | undefined): void =>
  void ignoreErrors(() =>
    id === undefined ? sessionStorage.removeItem(newDraftKey(kind)) : sessionStorage.setItem(newDraftKey(kind), id),
  );

/** Returns an ID for a new article. Reuses the last ID from this tab if its article has unsaved changes. */
export function ensureNewArticleId(kind: ArticleKind): string {
  const last = ignoreErrors(() => sessionStorage.getItem(newDraftKey(kind)));
  return last && findKeptDraft(last) ? last : randomUuid();
}

export const findKeptDraft = (id: string): KeptDraft | undefined =>
  ignoreErrors(() => keptSchema.parse(JSON.parse(sessionStorage.getItem(draftKey(id)) ?? '')));
