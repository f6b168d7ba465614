import { useQueryClient } from '@tanstack/react-query';
import type { LoginBody, RegisterBody, User } from '@uprez/contracts/schemas/user';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode, showErrorToast } from '../../lib/api/api-errors.ts';
import { userKey } from '../../lib/api/queries.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import { confirmSignOut } from '../../lib/session/confirm-sign-out.ts';
import { endSession, startSession } from '../../lib/session/session-lifecycle.ts';
import { messages } from '../../messages.ts';

const text = messages.auth;

/**
 * Signs in, up, and out. Signing in or up stores the returned user; signing out asks for confirmation if data would be
 * lost, and reloads the site at `/`.
 */
export function useSessionWrites() {
  const queryClient = useQueryClient();
  const setUser = async (user: User) => {
    await startSession(user.id);
    dismissToasts();
    queryClient.setQueryData(userKey, user);
  };
  const login = useResourceMutation({
    call: async (body: LoginBody) => (await api.login({ body })).data,
    onSuccess: setUser,
    // A request for the two-factor code is a step of signing in; the form shows the field for it.
    onError: (error) => hasErrorCode(error, 'two_factor_required') || showErrorToast(text.loginFailed, error),
  });
  const register = useResourceMutation({
    call: async (body: RegisterBody) => (await api.register({ body })).data,
    onSuccess: async (user) => {
      await setUser(user);
      showToast({ title: text.created, description: text.confirm(user.email) });
    },
    errorTitle: text.registrationFailed,
  });
  const logout = useResourceMutation({
    call: async () => {
      try {
        await api.logout();
      } catch (error) {
        // The session has already ended: only the browser's data is left to delete.
        if (!hasErrorCode(error, 'not_signed_in')) throw error;
      }
    },
    onSuccess: endSession,
    errorTitle: text.logoutFailed,
  });
  return { login, register, logout, signOut: () => confirmSignOut(logout.mutate) };
}
