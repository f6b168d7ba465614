import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { confirmSignOut } from '../../lib/session/confirm-sign-out.ts';
import { endSession } from '../../lib/session/session-lifecycle.ts';
import { sessionsKey } from './account-keys.ts';
import { accountMessages } from './messages.ts';

const errorTitle = accountMessages.devices.failed;

/** Ends one session by its id, or all of them. The latter also signs out this browser. */
export function useEndSessions() {
  const endOne = useResourceMutation({
    call: async (id: string) => {
      await api.endSession({ params: { id } });
    },
    // Also after an error: the session may have expired.
    invalidates: [sessionsKey],
    errorTitle,
  });
  const endAll = useResourceMutation({
    call: async () => {
      await api.endSessions();
    },
    onSuccess: endSession,
    errorTitle,
  });
  return { endOne, endAll, signOutEverywhere: () => confirmSignOut(endAll.mutate) };
}
