import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LoginBody, RegisterBody, User } from '@uprez/contracts/schemas/user';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { api } from '../../lib/api/api.ts';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { userKey } from '../../lib/api/queries.ts';
import { userQuery } from '../../lib/api/query-client.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { dismissToasts, showToast } from '../../lib/notifications/toast-store.ts';
import { confirmSignOut } from '../../lib/session/confirm-sign-out.ts';
import { endSession, saveOwner, startSession } from '../../lib/session/session-lifecycle.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Spinner } from '../../ui/layout/logo-mark.tsx';

const text = messages.auth;

/** Signing out asks for confirmation if data would be lost, and then reloads the site at `/`. */
function useSessionActions() {
  const queryClient = useQueryClient();
  const setUser = async (user: User) => {
    await startSession(user.id);
    dismissToasts();
    queryClient.setQueryData(userKey, user);
  };
  const login = useResourceMutation({
    call: async (body: LoginBody) => (await api.login({ body })).data,
    onSuccess: setUser,
  });
  const passkeyLogin = useResourceMutation({
    call: async () => (await import('../../lib/session/passkeys.ts')).signInWithPasskey(),
    onSuccess: setUser,
    errorTitle: text.loginFailed,
  });
  const register = useResourceMutation({
    call: async (body: RegisterBody) => (await api.register({ body })).data,
    onSuccess: async (user) => {
      await setUser(user);
      showToast({ title: text.created, description: text.confirm(user.email) });
    },
  });
  const logout = useResourceMutation({
    call: async () => {
      try {
        await api.logout();
      } catch (error) {
        // The session has already ended. Only the browser's data must still be deleted.
        if (!hasErrorCode(error, 'not_signed_in')) throw error;
      }
    },
    onSuccess: endSession,
    errorTitle: text.logoutFailed,
  });
  return { login, passkeyLogin, register, logout, signOut: () => confirmSignOut(logout.mutate) };
}

/** `user`: null while signed out. */
export type Auth = { user: User | null } & ReturnType<typeof useSessionActions>;

export const AuthContext = createContext<Auth | undefined>(undefined);

/** Returns the current user, and functions for signing in, up, and out. Throws outside an `AuthProvider`. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}

/** Loads the current user before anything else is rendered. */
export function AuthProvider({ children }: { children: ReactNode }) {
  const { data, isPending, refetch } = useQuery({
    ...userQuery,
    // Refetches an unverified user on focus, because the verification link may have been opened in another browser.
    refetchOnWindowFocus: ({ state }) => (state.data && !state.data.emailVerified ? 'always' : false),
  });
  const writes = useSessionActions();
  const id = data?.id;
  useEffect(() => {
    if (id !== undefined) saveOwner(id);
  }, [id]);
  // Checks the data, not the error, because a failed refetch must not hide the page.
  if (data === undefined)
    return (
      <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-4 text-center">
        {isPending ? (
          <Spinner label={messages.session.loading} />
        ) : (
          <>
            <h1 className="text-lg">{messages.session.failed}</h1>
            <Button onClick={() => void refetch()}>{messages.session.retry}</Button>
          </>
        )}
      </main>
    );
  return <AuthContext value={{ user: data, ...writes }}>{children}</AuthContext>;
}
