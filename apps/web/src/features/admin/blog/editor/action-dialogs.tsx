import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Article, RevisionRow } from '@uprez/contracts/schemas/content/articles';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { formatDateTime } from '../../../../lib/format/format.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { MoreButton, QueryView, Skeleton } from '../../../../ui/feedback/query-view.tsx';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { Dialog } from '../../../../ui/overlays/dialog.tsx';
import { adminApi } from '../../admin-api.ts';
import { articleListPath } from '../../frame/admin-paths.ts';
import { ScheduleDialog } from '../../schedule/schedule-dialog.tsx';
import { kindNames } from '../messages.ts';
import { DeletePostDialog } from '../posts/delete-post-dialog.tsx';
import { useCategories } from '../queries.ts';
import { ChangesView, listChanges } from './article-changes.tsx';
import type { Draft } from './draft.ts';
import { LegalDialog } from './legal-dialog.tsx';
import { editorMessages as text } from './messages.ts';
import type { ArticleActions } from './use-article-actions.ts';
import { useDraftState } from './use-draft.ts';

export type ActionDialog = 'schedule' | 'legal' | 'unpublish' | 'discard' | 'revisions' | 'delete';

type ActionDialogsProps = {
  dialog: ActionDialog | undefined;
  article: Article;
  draft: Draft;
  actions: ArticleActions;
  mayManage: boolean;
  onClose: () => void;
};

export function ActionDialogs({ dialog, article, draft, actions, mayManage, onClose }: ActionDialogsProps) {
  const navigate = useNavigate();
  const { isPending } = actions;
  const name = kindNames[article.kind];
  switch (dialog) {
    case 'schedule':
      return (
        <ScheduleDialog
          names={{ ...text.scheduleDialog, title: text.scheduleDialog.title(name) }}
          chosenAt={article.publishAt}
          isPending={isPending}
          onSchedule={(at) => {
            // If required fields are missing, closes the dialog, because the errors are shown at the fields.
            if (!actions.publish({ publishAt: at }, onClose)) onClose();
          }}
          onClose={onClose}
        />
      );
    case 'legal':
      return (
        <LegalDialog
          article={article}
          isPending={isPending}
          onPublish={(legal) => {
            if (!actions.publish(legal, onClose)) onClose();
          }}
          onClose={onClose}
        />
      );
    case 'unpublish':
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          {...text.unpublishDialog}
          title={text.unpublishDialog.title(name)}
          pending={isPending}
          onConfirm={() => actions.unpublish(onClose)}
        />
      );
    case 'discard':
      return (
        <ConfirmDialog
          open
          onOpenChange={onClose}
          {...text.discardDialog}
          {...(article.status === 'scheduled' && { text: text.discardScheduled })}
          pending={isPending}
          onConfirm={() => actions.discard(onClose)}
        />
      );
    case 'revisions':
      return <RevisionsDialog {...{ article, draft, actions, mayManage, onClose }} />;
    case 'delete':
      return (
        <DeletePostDialog
          kind={article.kind}
          post={{ id: article.id, title: draft.store.getState().fields.title }}
          onClose={onClose}
          onDeleted={() => {
            draft.abandon();
            void navigate(articleListPath(article.kind));
          }}
        />
      );
    default:
      return null;
  }
}

const revisionsText = text.revisions;
const pageSize = 25;

const useRevisions = (id: string) =>
  useInfiniteQuery({
    queryKey: [adminRoutes.adminListRevisions.path, id],
    queryFn: async ({ pageParam: cursor, signal }) =>
      (await adminApi.adminListRevisions({ params: { id }, query: { cursor, limit: pageSize }, signal })).data,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.number),
    refetchOnMount: 'always',
    gcTime: 0,
  });

const useRevision = (id: string, number: number) =>
  useQuery({
    queryKey: [adminRoutes.adminGetRevision.path, id, number],
    queryFn: async ({ signal }) =>
      (await adminApi.adminGetRevision({ params: { id, number: String(number) }, signal })).data,
  });

type ListProps = { rows: readonly RevisionRow[]; chosen: number | undefined; onChoose: (number: number) => void };

const secondsFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' });

/** Includes seconds if another revision was saved in the same minute. */
function formatRevisionTime({ number, at }: Pick<RevisionRow, 'number' | 'at'>, rows: readonly RevisionRow[]): string {
  const time = formatDateTime(at);
  const isShared = rows.some((row) => row.number !== number && formatDateTime(row.at) === time);
  return isShared ? secondsFormat.format(new Date(at)) : time;
}

const RevisionList = ({ rows, chosen, onChoose }: ListProps) => (
  <ul aria-label={revisionsText.list} className="grid content-start gap-0.5">
    {rows.map(({ number, at, by, reason }) => (
      <li key={number}>
        <button
          type="button"
          aria-pressed={number === chosen}
          onClick={() => onChoose(number)}
          className="grid w-full gap-0.5 rounded-control px-3 py-2 text-left text-sm -outline-offset-2 hover:bg-sunken aria-pressed:bg-sunken"
        >
          <span className="font-medium">{revisionsText.reasons[reason]}</span>
          <span className="text-muted text-xs tabular-nums">{formatRevisionTime({ number, at }, rows)}</span>
          <span className="text-muted text-xs wrap-anywhere">
            {by ? by.firstName || by.email : revisionsText.someone}
          </span>
        </button>
      </li>
    ))}
  </ul>
);

type ComparisonProps = {
  article: Article;
  number: number;
  draft: Draft;
  onRestore: (() => void) | undefined;
  isPending: boolean;
};

/** Shows what restoring a revision would change in the draft. */
function Comparison({ article: { id, kind }, number, draft, onRestore, isPending }: ComparisonProps) {
  const query = useRevision(id, number);
  const current = useDraftState(draft, ({ fields }) => fields);
  const { data: categories = [] } = useCategories(kind);
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-64" />}>
      {({ fields }) => {
        const changes = listChanges(current, fields, categories);
        if (changes.length === 0) return <p className="text-muted text-sm">{revisionsText.same}</p>;
        return (
          <div className="grid min-w-0 content-start gap-4">
            <ChangesView changes={changes} legend={revisionsText.legend} />
            {onRestore && (
              <Button className="justify-self-end" pending={isPending} onClick={onRestore}>
                {revisionsText.restore}
              </Button>
            )}
          </div>
        );
      }}
    </QueryView>
  );
}

type RevisionsDialogProps = {
  article: Article;
  draft: Draft;
  actions: ArticleActions;
  mayManage: boolean;
  onClose: () => void;
};

function RevisionsDialog({ article, draft, actions, mayManage, onClose }: RevisionsDialogProps) {
  const query = useRevisions(article.id);
  const [number, setNumber] = useState<number>();
  const onRestore = mayManage && number !== undefined ? () => actions.restore(number, onClose) : undefined;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={revisionsText.title}
      description={revisionsText.text(kindNames[article.kind])}
      wide="screen"
    >
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-64" />}
        isEmpty={({ pages }) => pages.every((page) => page.length === 0)}
        empty={<EmptyState {...revisionsText.none} />}
      >
        {({ pages }) => (
          <div className="grid gap-5 md:grid-cols-[15rem_minmax(0,1fr)]">
            <div className="grid max-h-56 content-start gap-3 overflow-y-auto md:max-h-[60dvh]">
              <RevisionList rows={pages.flat()} chosen={number} onChoose={setNumber} />
              <MoreButton query={query} />
            </div>
            {number === undefined ? (
              <p className="text-muted text-sm">{revisionsText.choose}</p>
            ) : (
              <Comparison {...{ article, number, draft, onRestore }} isPending={actions.isPending} />
            )}
          </div>
        )}
      </QueryView>
    </Dialog>
  );
}
