import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { createContext, useContext } from 'react';
import { placeholders } from './placeholders.ts';

/** Who reads: what to put into the examples. `preview`: of a key of theirs, where they have one that works. */
export type Reader = { address: string; preview: string | undefined };

export const ReaderContext = createContext<Reader>({ address: placeholders.address, preview: undefined });
export const useReader = (): Reader => useContext(ReaderContext);

/** The newest key that can make images now; rather one of the sandbox's, which costs nothing. */
export function chooseKey(keys: readonly ApiKeyView[]): ApiKeyView | undefined {
  const usable = keys.filter(
    ({ isActive, isExpired, replacedBy, scopes }) =>
      isActive && !isExpired && replacedBy === null && scopes.includes('process'),
  );
  return usable.find(({ kind }) => kind === 'test') ?? usable[0];
}
