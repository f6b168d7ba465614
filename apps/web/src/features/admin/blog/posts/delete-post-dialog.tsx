import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { ConfirmCallDialog } from '../../../../ui/overlays/call-dialog.tsx';
import { adminApi } from '../../admin-api.ts';
import { blogMessages, kindNames } from '../messages.ts';
import { postKeys, useRestorePost } from '../queries.ts';

const text = blogMessages.deleteDialog;
/** Long enough to notice a mistake. */
const undoMs = 15_000;

type DeletePostDialogProps = {
  post: { id: string; title: string };
  kind?: ArticleKind;
  onClose: () => void;
  onDeleted?: () => void;
};

export function DeletePostDialog({ post: { id, title }, kind = 'post', onClose, onDeleted }: DeletePostDialogProps) {
  const restore = useRestorePost(kind);
  return (
    <ConfirmCallDialog
      text={{
        title: text.title(kindNames[kind]),
        text: text.text(title || blogMessages.untitled),
        confirm: text.confirm(kindNames[kind]),
      }}
      call={() => adminApi.adminDeleteArticle({ params: { id } })}
      refreshes={postKeys}
      failed={blogMessages.failure}
      done={{
        ...{ title: blogMessages.success, description: blogMessages.deleted(kind), durationMs: undoMs },
        action: { label: blogMessages.undo, run: () => restore.mutate(id) },
      }}
      onClose={onClose}
      onDone={() => {
        onClose();
        onDeleted?.();
      }}
    />
  );
}
