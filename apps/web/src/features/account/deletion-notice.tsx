import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { tellFailure } from '../../lib/api/tell-failure.ts';
import { userKey } from '../../lib/api/user-key.ts';
import { formatTime } from '../../lib/format/format.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.deletion;
const reveal = (button: HTMLButtonElement | null) => button?.focus();

/** When the account ends, and the way to keep it. `isNew`: it was asked for just now, further down; the focus comes here. */
export function DeletionNotice({ deletesAt, isNew }: { deletesAt: string; isNew: boolean }) {
  const queryClient = useQueryClient();
  const keep = useMutation({
    mutationFn: async () => (await api.keepAccount()).data,
    onSuccess: (user) => {
      queryClient.setQueryData(userKey, user);
      showToast({ title: text.kept });
    },
    onError: tellFailure(text.keepFailed),
  });
  return (
    <Notice kind="warning">
      <p className="mb-3">{text.notice(formatTime(deletesAt))}</p>
      <Button ref={isNew ? reveal : undefined} disabled={keep.isPending} onClick={() => keep.mutate()}>
        {text.keep}
      </Button>
    </Notice>
  );
}
