import type { ArticleKind } from '@uprez/contracts/policy/articles';
import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { kindNames } from '../kind-names.ts';
import { blogMessages } from '../messages.ts';
import { useDeletePost } from './use-post-mutations.ts';

const text = blogMessages.deleteDialog;

type DeletePostDialogProps = {
  post: { id: string; title: string };
  kind?: ArticleKind;
  onClose: () => void;
  onDeleted?: () => void;
};

export function DeletePostDialog({ post, kind = 'post', onClose, onDeleted }: DeletePostDialogProps) {
  const remove = useDeletePost(kind, () => {
    onClose();
    onDeleted?.();
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.title(kindNames[kind])}
      text={text.text(post.title || blogMessages.untitled)}
      confirm={text.confirm(kindNames[kind])}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(post.id)}
    />
  );
}
