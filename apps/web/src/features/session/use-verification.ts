import { api } from '../../lib/api/api.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { shareUserChange } from '../../lib/session/session-lifecycle.ts';
import { useResendLink } from '../../lib/session/use-resend-link.ts';

/** Confirms an email address with the token of a link, or sends a new link to the signed-in user. */
export function useVerification() {
  const verify = useResourceMutation({
    call: async (token: string) => (await api.verifyEmail({ body: { token } })).data.message,
    onSuccess: shareUserChange,
    invalidates: [userKey],
  });
  return { verify, resend: useResendLink() };
}
