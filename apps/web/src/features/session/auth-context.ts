import type { UseMutationResult } from '@tanstack/react-query';
import type { LoginBody, RegisterBody, User } from '@uprez/contracts/schemas/user';
import { createContext, useContext } from 'react';

export type Auth = {
  /** Null when signed out. */
  user: User | null;
  login: UseMutationResult<User, Error, LoginBody>;
  register: UseMutationResult<User, Error, RegisterBody>;
  logout: UseMutationResult<void, Error, void>;
  /** Signs out; asks for confirmation first if that would lose data. */
  signOut: () => void;
};

export const AuthContext = createContext<Auth | undefined>(undefined);

/** The current user, and the functions to sign in, up, and out. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}
