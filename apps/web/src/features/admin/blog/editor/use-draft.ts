import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Article, ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { randomUuid } from '../../../../lib/browser/random-id.ts';
import { adminApi } from '../../admin-api.ts';
import { Draft, type DraftState, hasSameFields } from './draft.ts';
import { findKeptDraft, forgetDraft, keepDraft, keepNewId } from './kept-draft.ts';

export const articleKey = (id: string) => [adminRoutes.adminGetArticle.path, id] as const;

/**
 * Opens an article for editing until the component unmounts. `create`: creates the article on the server if it exists
 * only in the browser. Each save calls it again until it succeeds. `wasKept`: whether unsaved changes from an earlier
 * visit were restored.
 */
export function useDraft(article: Article, create?: () => Promise<unknown>) {
  const { id } = article;
  const { mutateAsync } = useResourceMutation({
    call: async (body: { fields: ArticleFields; version: number; tab: string }) =>
      (await adminApi.adminSaveDraft({ params: { id }, body })).data,
  });
  const [{ draft, wasKept }] = useState(() => {
    const found = findKeptDraft(id);
    // Ignores stored changes that were saved after all while the user was leaving the page.
    const kept = found && !hasSameFields(found.fields, article.fields) ? found : undefined;
    const tab = randomUuid();
    const opened: Draft = new Draft({
      article,
      isNew: create !== undefined,
      kept,
      save: async (fields, version) => {
        const { isNew, isCreated } = opened.store.getState();
        if (create && isNew && !isCreated) {
          await create();
          opened.store.setState({ isCreated: true });
        }
        // Sends the draft's version. If a duplicate of this tab has already created the article and saved other text,
        // the server then reports a conflict.
        return mutateAsync({ fields, version, tab });
      },
      keep: (unsaved) => {
        if (create) keepNewId(article.kind, unsaved && opened.store.getState().isNew ? id : undefined);
        return unsaved ? keepDraft(id, unsaved) : forgetDraft(id);
      },
    });
    return { draft: opened, wasKept: kept !== undefined };
  });
  useEffect(() => {
    draft.resume();
    const keep = () => draft.keep();
    const keepHidden = () => document.visibilityState === 'hidden' && keep();
    window.addEventListener('pagehide', keep);
    document.addEventListener('visibilitychange', keepHidden);
    return () => {
      window.removeEventListener('pagehide', keep);
      document.removeEventListener('visibilitychange', keepHidden);
      draft.close();
    };
  }, [draft]);
  return { draft, wasKept };
}

/** Whether a draft differs from the published or scheduled version. */
export function useHasChanges({ hasChanges, version }: Article, draft: Draft): boolean {
  const isDirty = useDraftState(draft, (state) => state.isDirty);
  const wasSaved = useDraftState(draft, (state) => state.version) !== version;
  return hasChanges || isDirty || wasSaved;
}

export const useDraftState = <Part>(draft: Draft, select: (state: DraftState) => Part): Part =>
  useStore(draft.store, select);
