import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/user-key.ts';
import { useResendLink } from '../../lib/session/use-resend-link.ts';

/** Confirm an address with the token of a link; have a new link sent to whoever is signed in. */
export function useVerification() {
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: async (token: string) => (await api.verifyEmail({ body: { token } })).data.message,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: userKey }),
  });
  return { verify, resend: useResendLink() };
}
