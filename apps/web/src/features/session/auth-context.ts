import type { User } from '@uprez/contracts/schemas/user';
import { createContext, useContext } from 'react';
import type { useSessionWrites } from './use-session-writes.ts';

/** `user`: null when signed out. */
export type Auth = { user: User | null } & ReturnType<typeof useSessionWrites>;

export const AuthContext = createContext<Auth | undefined>(undefined);

/** The current user, and the functions to sign in, up, and out. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}
