import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import { formatDay } from '@uprez/contracts/texts/format';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { adminApi } from '../../admin-api.ts';
import { blogMessages } from '../messages.ts';
import { postKeys } from '../queries.ts';
import type { Draft } from './draft.ts';
import type { LegalChoice } from './legal-dialog.tsx';
import { editorMessages as text } from './messages.ts';

type ArticleChange = {
  /** Sends the change. `version`: the last saved version. */
  run: (version: number) => Promise<{ data: Article }>;
  /** Whether the response replaces the text in the editor. */
  replaces?: boolean;
  /** Whether to make the change even if the draft can't be saved first. */
  discards?: boolean;
  /** Description in the success toast. */
  done?: string;
  onDone?: () => void;
  /** Called if a field caused the rejection. Closes the dialog, which would cover the field's error. */
  onRejected?: (() => void) | undefined;
};

function findMissingFields({ fields: { title, content } }: { fields: { title: string; content: string } }) {
  return {
    ...(title.trim() === '' && { title: text.titleRequired }),
    ...(content.trim() === '' && { content: text.contentRequired }),
  };
}

type ArticleHandlers = {
  /** Called with the changed article after each action. */
  onChange: (article: Article) => void;
  refresh: () => Promise<Article>;
};

/** Saves the draft before it changes the article. */
const useArticleChange = (kind: ArticleKind, draft: Draft, { onChange, refresh }: ArticleHandlers) =>
  useResourceMutation({
    call: async ({ run, discards }: ArticleChange) => {
      // `SaveStatus` shows the error of a failed save.
      if (!(await draft.flush()) && !discards) return;
      return (await run(draft.store.getState().version)).data;
    },
    invalidates: postKeys,
    errorTitle: blogMessages.failure,
    onError: (error, { onRejected }) => {
      draft.showRejection(error);
      if (Object.keys(draft.store.getState().errors).length > 0) onRejected?.();
      void refresh();
    },
    onSuccess: (next, { replaces, done = blogMessages.updated(kind), onDone }) => {
      if (!next) return;
      if (replaces) draft.reset(next);
      else draft.accept(next);
      onChange(next);
      showToast({ title: blogMessages.success, description: done });
      onDone?.();
    },
  });

type PublishOptions = Partial<LegalChoice> & { publishAt?: string };

/** Returns the toast description if an article is published later or a legal text takes effect later. */
function describeDelay(kind: ArticleKind, { publishAt, effectiveOn }: PublishOptions): Pick<ArticleChange, 'done'> {
  if (publishAt) return { done: blogMessages.scheduled(kind) };
  const isLater = effectiveOn !== undefined && effectiveOn > new Date().toISOString().slice(0, 10);
  return isLater ? { done: text.legalDialog.done(formatDay(effectiveOn)) } : {};
}

export function useArticleActions({ id, kind }: Article, draft: Draft, effects: ArticleHandlers) {
  const params = { id };
  const { mutate, isPending } = useArticleChange(kind, draft, effects);
  const publish = (options: PublishOptions = {}, onDone?: () => void) => {
    draft.takeContent();
    const missing = findMissingFields(draft.store.getState());
    if (Object.keys(missing).length > 0) {
      draft.showErrors(missing);
      return false;
    }
    const run = (version: number) => adminApi.adminPublishArticle({ params, body: { version, ...options } });
    mutate({ run, ...describeDelay(kind, options), ...(onDone && { onDone, onRejected: onDone }) });
    return true;
  };
  return {
    isPending,
    refresh: effects.refresh,
    /**
     * Publishes an article now or at a later time. A legal text also has an effective date. Returns false if the title
     * or the text is missing.
     */
    publish,
    unpublish: (onDone: () => void) =>
      mutate({ run: (version) => adminApi.adminUnpublishArticle({ params, body: { version } }), onDone }),
    /** Withdraws a version of a legal text before it takes effect. */
    withdraw: (number: number, onDone: () => void) =>
      mutate({
        run: (version) =>
          adminApi.adminWithdrawLegalVersion({ params: { id, number: String(number) }, body: { version } }),
        ...{ done: text.versions.done, onDone },
      }),
    discard: (onDone: () => void) =>
      mutate({
        run: (version) => adminApi.adminDiscardDraft({ params, body: { version } }),
        ...{ replaces: true, discards: true, onDone },
      }),
    restore: (number: number, onDone: () => void) =>
      mutate({
        run: (version) => adminApi.adminRestoreRevision({ params: { id, number: String(number) }, body: { version } }),
        ...{ replaces: true, onDone },
      }),
  };
}
export type ArticleActions = ReturnType<typeof useArticleActions>;
