import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { userKey } from '../../lib/api/user-key.ts';
import { formatTime } from '../../lib/format/format.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { accountMessages } from './messages.ts';

const text = accountMessages.deletion;
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Shows when the account will be deleted, with a button to keep it. `isNew`: just requested; takes the focus. */
export function DeletionNotice({ deletesAt, isNew }: { deletesAt: string; isNew: boolean }) {
  const queryClient = useQueryClient();
  const keep = useResourceMutation({
    call: async () => (await api.keepAccount()).data,
    onSuccess: (user) => {
      queryClient.setQueryData(userKey, user);
      showToast({ title: text.kept });
    },
    errorTitle: text.keepFailed,
  });
  return (
    <Notice kind="warning">
      <p className="mb-3">{text.notice(formatTime(deletesAt))}</p>
      <Button ref={isNew ? focus : undefined} disabled={keep.isPending} onClick={() => keep.mutate()}>
        {text.keep}
      </Button>
    </Notice>
  );
}
