import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { LoginBody, RegisterBody, User } from '@uprez/contracts/schemas/user';
import { api } from '../../lib/api/api.ts';
import { asksForCode } from '../../lib/api/asks-for-code.ts';
import { errorSentence } from '../../lib/api/error-sentence.ts';
import { hasCode } from '../../lib/api/has-code.ts';
import { userKey } from '../../lib/api/user-key.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import { claimBrowser, startOver } from '../../lib/session/account-end.ts';
import { askBeforeSignOut } from '../../lib/session/sign-out-question.ts';
import { messages } from '../../messages.ts';

const tell = (title: string) => (error: Error) =>
  void showToast({ title, description: errorSentence(error), destructive: true });

/** Sign in, sign up, sign out. The first two make the answered user the current one; the last starts over at `/`. */
export function useSessionWrites() {
  const queryClient = useQueryClient();
  const keepUser = async (user: User) => {
    await claimBrowser(user.id);
    dismissToasts();
    queryClient.setQueryData(userKey, user);
  };
  const login = useMutation({
    mutationFn: async (body: LoginBody): Promise<User> => (await api.login({ body })).data,
    onSuccess: keepUser,
    // Being asked for a code is a step of signing in; the form shows its field.
    onError: (error) => asksForCode(error) || tell(messages.auth.loginFailed)(error),
  });
  const register = useMutation({
    mutationFn: async (body: RegisterBody): Promise<User> => (await api.register({ body })).data,
    onSuccess: async (user) => {
      await keepUser(user);
      showToast({ title: messages.auth.created, description: messages.auth.confirm(user.email) });
    },
    onError: tell(messages.auth.registrationFailed),
  });
  const logout = useMutation({
    mutationFn: async () => {
      try {
        await api.logout();
      } catch (error) {
        // It had ended by itself: what is left is to forget.
        if (!hasCode(error, 'not_signed_in')) throw error;
      }
    },
    onSuccess: startOver,
    onError: tell(messages.auth.logoutFailed),
  });
  return { login, register, logout, signOut: () => askBeforeSignOut(logout.mutate) };
}
