import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useEffectEvent } from 'react';
import { userKey } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { findOwner } from '../session/session-lifecycle.ts';
import { keepValues, takeValues } from './kept-values.ts';

const findUserId = () => queryClient.getQueryData<User | null>(userKey)?.id;

type Form = {
  defaults: Record<string, unknown>;
  read: () => Record<string, unknown>;
  write: (values: Record<string, unknown>) => void;
};

/** Keeps what was typed into a form when it disappears because the session has ended, and restores it after the sign-in. */
export function useKeptValues({ defaults, read, write }: Form): void {
  const restore = useEffectEvent((userId: string) => write(takeValues(userId, defaults)));
  const keep = useEffectEvent((userId: string) => keepValues(userId, defaults, read()));
  useEffect(() => {
    const userId = findUserId();
    if (userId === undefined) return;
    restore(userId);
    return () => {
      // Signing out forgets the owner, and what was typed.
      if (findUserId() === undefined && findOwner() === userId) keep(userId);
    };
  }, []);
}
