import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { tellFailure } from '../../lib/api/tell-failure.ts';
import { startOver } from '../../lib/session/account-end.ts';
import { askBeforeSignOut } from '../../lib/session/sign-out-question.ts';
import { sessionsKey } from './account-keys.ts';
import { accountMessages } from './messages.ts';

const onError = tellFailure(accountMessages.devices.failed);

/** Sign out one device by its id, or all of them; the latter starts over at `/`, as signing out does. */
export function useSessionEnds() {
  const queryClient = useQueryClient();
  const endOne = useMutation({
    mutationFn: async (id: string) => {
      await api.endSession({ params: { id } });
    },
    onError,
    // One that could not be ended may have ended by itself.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  });
  const endAll = useMutation({
    mutationFn: async () => {
      await api.endSessions();
    },
    onSuccess: startOver,
    onError,
  });
  return { endOne, endAll, signOutEverywhere: () => askBeforeSignOut(endAll.mutate) };
}
