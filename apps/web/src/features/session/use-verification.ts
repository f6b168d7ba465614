import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { errorSentence } from '../../lib/error-sentence.ts';
import { showToast } from '../../lib/toast-store.ts';
import { userKey } from '../../lib/user-key.ts';
import { messages } from '../../messages.ts';

const text = messages.verifyEmail;

/** Confirm an address with the token of a link; have a new link sent to whoever is signed in. */
export function useVerification() {
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: async (token: string) => (await api.verifyEmail({ body: { token } })).data.message,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: userKey }),
  });
  const resend = useMutation({
    mutationFn: async () => (await api.resendVerification()).data.message,
    onSuccess: (description) => {
      showToast({ title: text.sent, description });
      // It may have been confirmed on another device.
      void queryClient.invalidateQueries({ queryKey: userKey });
    },
    onError: (error) =>
      void showToast({ title: text.resendFailed, description: errorSentence(error), destructive: true }),
  });
  return { verify, resend };
}
