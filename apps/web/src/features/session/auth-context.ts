import type { UseMutationResult } from '@tanstack/react-query';
import type { LoginBody, RegisterBody, User } from '@uprez/contracts/schemas/user';
import { createContext, useContext } from 'react';

export type Auth = {
  /** null: signed out. */
  user: User | null;
  login: UseMutationResult<User, Error, LoginBody>;
  register: UseMutationResult<User, Error, RegisterBody>;
  logout: UseMutationResult<void, Error, void>;
  /** Log out, after a question where that would lose something. */
  signOut: () => void;
};

export const AuthContext = createContext<Auth | undefined>(undefined);

/** Who is signed in, and the ways to change that. */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error('useAuth must be used within an AuthProvider');
  return auth;
}
