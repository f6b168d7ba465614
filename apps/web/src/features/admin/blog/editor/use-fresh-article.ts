import type { Article } from '@uprez/contracts/schemas/content/articles';
import { useCallback, useEffect, useRef } from 'react';
import { adminApi } from '../../admin-api.ts';
import type { Draft } from './draft.ts';
import { useDraftState } from './use-draft.ts';

/** Time between two reads of a post that is due. */
const dueMs = 3_000;

/**
 * Reads a post again when the window gets the focus and, if it is scheduled, after each save and when it is due. Returns a
 * function that does so at once, and resolves to the article as it is now.
 */
export function useFreshArticle(article: Article, draft: Draft, onRead: (article: Article) => void) {
  const { id, status, publishAt } = article;
  const latest = useRef({ article, onRead });
  useEffect(() => {
    latest.current = { article, onRead };
  });
  const refresh = useCallback(async (): Promise<Article> => {
    const before = latest.current.article;
    if (draft.store.getState().isNew) return before;
    try {
      const { data } = await adminApi.adminGetArticle({ params: { id } });
      // An action that ended meanwhile has a later answer.
      if (latest.current.article !== before) return latest.current.article;
      draft.acceptVersion(data);
      latest.current.onRead(data);
      return data;
    } catch {
      // The next save or action shows the reason.
      return latest.current.article;
    }
  }, [id, draft]);
  const isScheduled = status === 'scheduled';
  const version = useDraftState(draft, (state) => state.version);
  useEffect(() => {
    if (isScheduled && version !== latest.current.article.version) void refresh();
  }, [isScheduled, version, refresh]);
  useEffect(() => {
    if (!isScheduled || !publishAt) return;
    const timer = setInterval(() => {
      if (Date.now() >= Date.parse(publishAt)) void refresh();
    }, dueMs);
    return () => clearInterval(timer);
  }, [isScheduled, publishAt, refresh]);
  useEffect(() => {
    const read = () => void refresh();
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [refresh]);
  return refresh;
}
