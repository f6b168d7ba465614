import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { type ArticleKind, articleLimits } from '@uprez/contracts/policy/articles';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import type { LegalVersion } from '@uprez/contracts/schemas/content/site-pages';
import { formatDay } from '@uprez/contracts/texts/format';
import { legalVersionPath } from '@uprez/contracts/texts/site/pages';
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useBlocker, useLocation, useNavigate } from 'react-router';
import { api } from '../../../../lib/api/api.ts';
import { setUnloadGuard } from '../../../../lib/browser/unload-guard.ts';
import { formatDateTime } from '../../../../lib/format/format.ts';
import { showToast } from '../../../../lib/notifications/toast-store.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { Badge } from '../../../../ui/feedback/badge.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { keepFocusState } from '../../../../ui/layout/page-heading.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { adminApi } from '../../admin-api.ts';
import { articlePath } from '../../frame/admin-paths.ts';
import { useHasPermission } from '../../frame/use-own-user.ts';
import { blogMessages, kindNames } from '../messages.ts';
import { useCategories } from '../queries.ts';
import { ContentEditor } from '../rich-text/content-editor.tsx';
import { ActionBar } from './action-bar.tsx';
import { ChangesView, listChanges } from './article-changes.tsx';
import { DetailsCard } from './details-card.tsx';
import type { Draft } from './draft.ts';
import { editorMessages, editorMessages as text } from './messages.ts';
import { SeoCard } from './seo-card.tsx';
import { type ArticleActions, useArticleActions } from './use-article-actions.ts';
import { useDraft, useDraftState } from './use-draft.ts';

type PostEditorProps = {
  article: Article;
  /** Creates the article on the server. Set if the article exists only in the browser. */
  create?: () => Promise<unknown>;
};

export function PostEditor({ article: loaded, create }: PostEditorProps) {
  const mayManage = useHasPermission('content.manage');
  const [article, setArticle] = useState(loaded);
  const { draft, wasKept } = useDraft(loaded, create);
  const refresh = useFreshArticle(article, draft, setArticle);
  const actions = useArticleActions(article, draft, { onChange: setArticle, refresh });
  const saveOnShortcut = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    event.preventDefault();
    void draft.flush();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+S saves from any field of the post.
    <div onKeyDown={saveOnShortcut} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ActionBar {...{ article, draft, actions, mayManage }} />
      {!mayManage && <Notice kind="info">{text.readOnly(kindNames[article.kind])}</Notice>}
      {wasKept && <Notice kind="info">{text.restored}</Notice>}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <fieldset disabled={!mayManage} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
          <TitleField draft={draft} />
          <ContentField draft={draft} disabled={!mayManage} />
        </fieldset>
        <fieldset disabled={!mayManage} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
          {article.kind === 'legal' && article.publicSlug && (
            <LegalVersionsCard slug={article.publicSlug} actions={actions} />
          )}
          <DetailsCard draft={draft} url={article.url} kind={article.kind} />
          <SeoCard draft={draft} url={article.url} />
        </fieldset>
      </div>
      <ConflictDialog draft={draft} kind={article.kind} />
      <LeaveGuard draft={draft} path={articlePath(article.kind, article.id)} />
    </div>
  );
}

const leaveText = editorMessages.leave;

type LeaveGuardProps = {
  draft: Draft;
  /** Path of the article's editor. A new article moves to this path after its first save. */
  path: string;
};

/**
 * Saves before the user leaves the page. If saving fails, asks for confirmation. If the user leaves the site, the
 * browser asks.
 */
function LeaveGuard({ draft, path }: LeaveGuardProps) {
  const isDirty = useDraftState(draft, (state) => state.isDirty);
  const isNew = useDraftState(draft, (state) => state.isNew);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const blocker = useBlocker(({ nextLocation }) => isDirty && nextLocation.pathname !== path);
  const isMoved = !isNew && pathname !== path;
  useEffect(() => {
    if (isMoved && blocker.state === 'unblocked')
      void navigate(path, { replace: true, preventScrollReset: true, state: keepFocusState });
  }, [isMoved, blocker.state, navigate, path]);
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    setUnloadGuard('post', isDirty);
    return () => setUnloadGuard('post', false);
  }, [isDirty]);
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    let isCurrent = true;
    void draft.flush().then((isSaved) => {
      if (!isCurrent) return;
      if (!isSaved) {
        setAsks(true);
        return;
      }
      // Replaces the URL without the router, because a router navigation would replace the blocked one.
      if (!draft.store.getState().isNew) window.history.replaceState(window.history.state, '', path);
      blocker.proceed();
    });
    return () => {
      isCurrent = false;
    };
  }, [blocker, draft, path]);
  if (blocker.state !== 'blocked' || !asks) return null;
  const stay = () => {
    setAsks(false);
    blocker.reset();
  };
  const leave = () => {
    draft.abandon();
    blocker.proceed();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={stay}
      title={leaveText.title}
      text={leaveText.text}
      confirm={leaveText.confirm}
      keep={leaveText.keep}
      onConfirm={leave}
    />
  );
}

function TitleField({ draft }: { draft: Draft }) {
  const title = useDraftState(draft, ({ fields }) => fields.title);
  const error = useDraftState(draft, ({ errors }) => errors.title);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) input.current?.focus();
  }, [error]);
  return (
    <TextField
      ref={input}
      label={text.title}
      error={error}
      value={title}
      onChange={(event) => draft.change({ title: event.target.value })}
      maxLength={articleLimits.titleLength}
      autoComplete="off"
    />
  );
}

function ContentField({ draft, disabled }: { draft: Draft; disabled: boolean }) {
  const epoch = useDraftState(draft, (state) => state.epoch);
  const error = useDraftState(draft, ({ errors }) => errors.content);
  const readContent = () => {
    draft.takeContent();
    return draft.store.getState().fields.content;
  };
  return (
    <ContentEditor
      key={epoch}
      content={draft.store.getState().fields.content}
      readContent={readContent}
      disabled={disabled}
      error={error}
      onChange={(read) => draft.changeContent(read)}
      onClose={() => draft.takeContent()}
    />
  );
}

/** Polling interval for a scheduled post that is due, in milliseconds. */
const duePollMs = 3_000;

/**
 * Reloads an article when the window receives focus. A scheduled article is also reloaded after each save and when it
 * is due. Returns a function that reloads the article immediately and resolves to the current one.
 */
function useFreshArticle(article: Article, draft: Draft, onRead: (article: Article) => void) {
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
      // An action finished during the request, so its response is newer.
      if (latest.current.article !== before) return latest.current.article;
      draft.acceptVersion(data);
      latest.current.onRead(data);
      return data;
    } catch {
      // Ignored, because the next save or action shows the error.
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
    }, duePollMs);
    return () => clearInterval(timer);
  }, [isScheduled, publishAt, refresh]);
  useEffect(() => {
    const read = () => void refresh();
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [refresh]);
  return refresh;
}

const conflictText = text.conflict;

const noop = () => {};

/** How long the user can undo a replacement of the text, in milliseconds. */
const undoMs = 60_000;

function ConflictDialog({ draft, kind }: { draft: Draft; kind: ArticleKind }) {
  const conflict = useDraftState(draft, (state) => state.conflict);
  const fields = useDraftState(draft, (state) => state.fields);
  const { data: categories = [] } = useCategories(kind);
  if (!conflict) return null;
  const useTheirs = () => {
    const mine = draft.useTheirs();
    showToast({
      title: conflictText.replaced,
      durationMs: undoMs,
      action: { label: blogMessages.undo, run: () => draft.replace(mine) },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={noop}
      title={conflictText.title(kindNames[kind])}
      description={conflictText.text(
        conflict.by?.firstName || conflict.by?.email || conflictText.someone,
        formatDateTime(conflict.at),
      )}
      wide
      locked
      interrupts
    >
      <ChangesView changes={listChanges(conflict.fields, fields, categories)} legend={conflictText.legend} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="secondary" onClick={useTheirs}>
          {conflictText.theirs}
        </Button>
        <Button look="secondary" onClick={() => draft.keepMine()}>
          {conflictText.mine}
        </Button>
      </div>
    </Dialog>
  );
}

const versionsText = text.versions;

type LegalVersionsCardProps = { slug: string; actions: ArticleActions };

/** The newest version can be withdrawn until it takes effect. */
function LegalVersionsCard({ slug, actions }: LegalVersionsCardProps) {
  const mayPublish = useHasPermission('legal.publish');
  const [withdrawn, setWithdrawn] = useState<LegalVersion>();
  const { data: page } = useQuery({
    queryKey: [apiRoutes.getSitePage.path, slug, 'versions'],
    queryFn: async ({ signal }) => (await api.getSitePage({ params: { slug }, signal })).data,
    refetchOnMount: 'always',
  });
  const versions = page?.versions ?? [];
  const inForce = versions.findIndex(({ isInForce }) => isInForce);
  return (
    <Card title={versionsText.title}>
      <ul className="grid gap-3 text-sm">
        {versions.map((version, index) => (
          <li key={version.number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <a
              href={legalVersionPath(slug, version.number)}
              target="_blank"
              rel="noopener"
              className="font-medium underline decoration-line underline-offset-4 hover:decoration-current"
            >
              {versionsText.version(version.number)}
            </a>
            <span className="text-muted">{versionsText.effective(formatDay(version.effectiveAt))}</span>
            {version.isInForce && <Badge kind="success">{versionsText.inForce}</Badge>}
            {index < inForce && <Badge kind="neutral">{versionsText.upcoming}</Badge>}
            {index === 0 && inForce > 0 && mayPublish && (
              <Button look="secondary" size="small" className="ml-auto" onClick={() => setWithdrawn(version)}>
                {versionsText.withdraw}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {withdrawn && (
        <ConfirmDialog
          open
          onOpenChange={() => setWithdrawn(undefined)}
          title={versionsText.dialogTitle(withdrawn.number)}
          text={versionsText.dialogText}
          confirm={versionsText.withdraw}
          pending={actions.isPending}
          onConfirm={() => actions.withdraw(withdrawn.number, () => setWithdrawn(undefined))}
        />
      )}
    </Card>
  );
}
