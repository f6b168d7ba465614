import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { userKey } from '../../lib/api/queries.ts';
import { useResendLink } from '../../lib/session/use-resend-link.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { apiKeysMessages } from './messages.ts';

const text = apiKeysMessages.create;

export function UnverifiedNotice() {
  const resend = useResendLink();
  const queryClient = useQueryClient();
  // The email address may have been confirmed on another device.
  useEffect(() => {
    const refetch = () => void queryClient.invalidateQueries({ queryKey: userKey });
    window.addEventListener('focus', refetch);
    return () => window.removeEventListener('focus', refetch);
  }, [queryClient]);
  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {text.unverified}
        <Button look="secondary" size="small" pending={resend.isPending} onClick={() => resend.mutate()}>
          {text.resend}
        </Button>
      </div>
    </Notice>
  );
}
