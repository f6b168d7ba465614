import { ConfirmDialog } from '../../../../ui/overlays/confirm-dialog.tsx';
import { blogMessages } from '../messages.ts';
import { useDeletePost } from './use-post-mutations.ts';

const text = blogMessages.deleteDialog;

type DeletePostDialogProps = { post: { id: string; title: string }; onClose: () => void; onDeleted?: () => void };

export function DeletePostDialog({ post, onClose, onDeleted }: DeletePostDialogProps) {
  const remove = useDeletePost(() => {
    onClose();
    onDeleted?.();
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={text.title}
      text={text.text(post.title || blogMessages.untitled)}
      confirm={text.confirm}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(post.id)}
    />
  );
}
