import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messages } from '../../messages.ts';
import { api } from '../api/api.ts';
import { tellFailure } from '../api/tell-failure.ts';
import { userKey } from '../api/user-key.ts';
import { showToast } from '../notifications/toast-store.ts';

const text = messages.verifyEmail;

/** Have the link that confirms the address sent again to whoever is signed in. */
export function useResendLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.resendVerification()).data.message,
    onSuccess: (description) => {
      showToast({ title: text.sent, description });
      // It may have been confirmed on another device.
      void queryClient.invalidateQueries({ queryKey: userKey });
    },
    onError: tellFailure(text.resendFailed),
  });
}
