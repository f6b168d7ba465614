import type { Article } from '@uprez/contracts/schemas/content/articles';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { articleListPath } from '../../frame/article-path.ts';
import { ScheduleDialog } from '../../schedule/schedule-dialog.tsx';
import { kindNames } from '../kind-names.ts';
import { DeletePostDialog } from '../posts/delete-post-dialog.tsx';
import type { Draft } from './draft.ts';
import { LegalDialog } from './legal-dialog.tsx';
import { editorMessages as text } from './messages.ts';
import { RevisionsDialog } from './revisions-dialog.tsx';
import type { ArticleActions } from './use-article-actions.ts';

export type ActionDialog = 'schedule' | 'legal' | 'unpublish' | 'discard' | 'revisions' | 'delete';

type ActionDialogsProps = {
  dialog: ActionDialog | undefined;
  article: Article;
  draft: Draft;
  actions: ArticleActions;
  mayManage: boolean;
  onClose: () => void;
};

/** The dialog of an action. */
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
            // What is missing is shown at its field.
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
