import { isFixedKind, pathOfArticle } from '@uprez/contracts/policy/articles';
import type { Article } from '@uprez/contracts/schemas/content/articles';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { ExternalLink, Eye, History, Mail, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useResourceMutation } from '../../../../lib/api/use-resource-mutation.ts';
import { useNow } from '../../../../lib/browser/use-now.ts';
import { formatDateTime } from '../../../../lib/format/format.ts';
import { useFocusFallback } from '../../../../lib/layout/focus.ts';
import { CopyBlock } from '../../../../ui/code/copy-block.tsx';
import { Button, buttonStyle } from '../../../../ui/controls/button.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { ActionsMenu } from '../../../../ui/overlays/menu.tsx';
import { adminApi } from '../../admin-api.ts';
import { useHasPermission } from '../../frame/use-own-user.ts';
import { blogMessages, kindNames, kindTitle } from '../messages.ts';
import { PostStatusBadge } from '../posts/post-cells.tsx';
import { type ActionDialog, ActionDialogs } from './action-dialogs.tsx';
import type { Draft } from './draft.ts';
import { editorMessages as text } from './messages.ts';
import type { ArticleActions } from './use-article-actions.ts';
import { useDraftState, useHasChanges } from './use-draft.ts';

type BarProps = { article: Article; draft: Draft; actions: ArticleActions; mayManage: boolean };

export function ActionBar({ article, draft, actions, mayManage }: BarProps) {
  const [dialog, setDialog] = useState<ActionDialog>();
  const minutes = useDraftState(draft, (state) => state.readingMinutes);
  const isNew = useDraftState(draft, (state) => state.isNew);
  // Moves the focus to the bar if the focused button disappears, as after publishing.
  const bar = useFocusFallback<HTMLElement>(`${article.status} ${useHasChanges(article, draft)}`);
  return (
    <section
      ref={bar}
      tabIndex={-1}
      aria-label={text.bar(kindTitle(article.kind))}
      data-action-bar
      className="z-20 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3 lg:sticky lg:top-14"
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <PostStatusBadge status={article.status} />
        {article.status === 'scheduled' && article.publishAt && (
          <span className="text-sm">{blogMessages.scheduledFor(formatDateTime(article.publishAt))}</span>
        )}
        <SaveStatus draft={draft} />
        <span className="text-muted text-sm">{text.readingTime(minutes)}</span>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:basis-full">
        {mayManage && !isNew && <PreviewButton id={article.id} draft={draft} />}
        {mayManage && <StatusButtons article={article} draft={draft} actions={actions} onOpen={setDialog} />}
        {!isNew && (
          <div className="max-sm:ml-auto">
            <MoreActions {...{ article, draft, mayManage }} onOpen={setDialog} />
          </div>
        )}
      </div>
      <ScheduledChanges {...{ article, draft, actions, mayManage }} />
      <ActionDialogs {...{ dialog, article, draft, actions, mayManage }} onClose={() => setDialog(undefined)} />
    </section>
  );
}

type OpenDialog = (dialog: ActionDialog) => void;

function PreviewButton({ id, draft }: { id: string; draft: Draft }) {
  const create = useResourceMutation({
    call: async () => {
      // `SaveStatus` shows the error of a failed save.
      if (!(await draft.flush())) return;
      return (await adminApi.adminCreatePreview({ params: { id } })).data;
    },
    errorTitle: blogMessages.failure,
  });
  return (
    <>
      <Button look="secondary" pending={create.isPending} onClick={() => create.mutate()}>
        <Eye aria-hidden="true" strokeWidth={1.75} className="size-4 max-sm:hidden" />
        {text.preview}
      </Button>
      {create.data && <PreviewDialog link={create.data} onClose={create.reset} />}
    </>
  );
}

function StatusButtons({ article, draft, actions, onOpen }: Omit<BarProps, 'mayManage'> & { onOpen: OpenDialog }) {
  const hasChanges = useHasChanges(article, draft);
  const { status } = article;
  const isLegal = article.kind === 'legal';
  const mayPublish = useHasPermission('legal.publish') || !isLegal;
  const unschedule = async () => {
    // Reloads the article, because it may have been published after it was loaded.
    const now = await actions.refresh();
    if (now.status === 'scheduled') actions.unpublish(() => {});
    else if (now.status === 'published') onOpen('unpublish');
  };
  const publish = (
    <Button pending={actions.isPending} onClick={() => (isLegal ? onOpen('legal') : actions.publish())}>
      {{ draft: text.publish, scheduled: text.publishNow, published: text.publishChanges }[status]}
    </Button>
  );
  if (status === 'published')
    return (
      <>
        {!isFixedKind(article.kind) && (
          <Button look="secondary" onClick={() => onOpen('unpublish')}>
            {text.unpublish}
          </Button>
        )}
        {hasChanges && (mayPublish ? publish : <span className="text-muted text-sm">{text.legalOnly}</span>)}
      </>
    );
  return (
    <>
      {status === 'scheduled' && (
        <Button look="secondary" onClick={() => void unschedule()}>
          {text.unschedule}
        </Button>
      )}
      <Button look="secondary" onClick={() => onOpen('schedule')}>
        {status === 'scheduled' ? text.reschedule : text.schedule}
      </Button>
      {publish}
    </>
  );
}

/**
 * Warns that a scheduled post will be published without the latest changes. Offers to include the changes and keep the
 * time.
 */
function ScheduledChanges({ article, draft, actions, mayManage }: BarProps) {
  const hasChanges = useHasChanges(article, draft);
  const { status, publishAt } = article;
  if (status !== 'scheduled' || !publishAt || !hasChanges) return null;
  return (
    <div className="flex basis-full flex-wrap items-center gap-x-3 gap-y-2">
      <span role="status" className="text-sm">
        {text.scheduledChanges}
      </span>
      {mayManage && (
        <Button
          look="secondary"
          size="small"
          pending={actions.isPending}
          onClick={() => actions.publish({ publishAt })}
        >
          {text.updateScheduled(kindNames[article.kind])}
        </Button>
      )}
    </div>
  );
}

function MoreActions({ article, draft, mayManage, onOpen }: Omit<BarProps, 'actions'> & { onOpen: OpenDialog }) {
  const hasChanges = useHasChanges(article, draft);
  const { id, kind, status, publicSlug, fields } = article;
  const navigate = useNavigate();
  const revisions = { label: text.history, icon: History, onSelect: () => onOpen('revisions') };
  const view = publicSlug !== null && {
    label: text.view,
    icon: ExternalLink,
    onSelect: () => void window.open(pathOfArticle(article.kind, publicSlug), '_blank', 'noopener'),
  };
  const mail = {
    label: text.sendNewsletter,
    icon: Mail,
    onSelect: () => void navigate(`${adminPages.campaigns}?${new URLSearchParams({ post: id, title: fields.title })}`),
  };
  const discard = { label: text.discard, icon: Undo2, onSelect: () => onOpen('discard') };
  const remove = {
    label: text.delete(kindNames[article.kind]),
    icon: Trash2,
    danger: true,
    onSelect: () => onOpen('delete'),
  };
  const items = [
    revisions,
    ...(view ? [view] : []),
    ...(mayManage && kind === 'post' && status === 'published' ? [mail] : []),
    ...(mayManage && hasChanges && article.status !== 'draft' ? [discard] : []),
    ...(mayManage && !isFixedKind(article.kind) ? [remove] : []),
  ];
  return <ActionsMenu label={text.more} items={items} />;
}

const tickMs = 1_000;

function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

function SavedAt({ savedAt }: { savedAt: string }) {
  const age = useNow(tickMs) - new Date(savedAt).getTime();
  // The age can be negative, because the server's and the browser's clocks may differ.
  return age < 1_000 ? text.savedNow : text.saved(formatAge(age));
}

function SaveStatus({ draft }: { draft: Draft }) {
  const state = useDraftState(draft, (all) => all);
  if (state.failure)
    return (
      <p role="alert" className="text-danger text-sm wrap-anywhere">
        {`${text.notSaved}: ${state.failure}`}
      </p>
    );
  const isWaiting = state.isDirty || state.isSaving;
  return (
    <p className="text-muted text-sm tabular-nums">
      {isWaiting && (state.isSaving ? text.saving : text.unsaved)}
      {!isWaiting && state.savedAt && <SavedAt savedAt={state.savedAt} />}
    </p>
  );
}

const previewDialogText = text.previewDialog;

type PreviewDialogProps = { link: { url: string; expiresAt: string }; onClose: () => void };

const PreviewDialog = ({ link: { url, expiresAt }, onClose }: PreviewDialogProps) => (
  <Dialog
    open
    onOpenChange={onClose}
    title={previewDialogText.title}
    description={previewDialogText.text(formatDateTime(expiresAt))}
  >
    <CopyBlock code={url} label={previewDialogText.copy} />
    <a
      href={url}
      target="_blank"
      rel="noopener"
      className={buttonStyle({ className: 'justify-self-end' })}
      onClick={onClose}
    >
      <ExternalLink aria-hidden="true" strokeWidth={1.75} className="size-4" />
      {previewDialogText.open}
    </a>
  </Dialog>
);
