import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useResendLink } from '../../lib/use-resend-link.ts';
import { userKey } from '../../lib/user-key.ts';

/** Confirm an address with the token of a link; have a new link sent to whoever is signed in. */
export function useVerification() {
  const queryClient = useQueryClient();
  const verify = useMutation({
    mutationFn: async (token: string) => (await api.verifyEmail({ body: { token } })).data.message,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: userKey }),
  });
  return { verify, resend: useResendLink() };
}
