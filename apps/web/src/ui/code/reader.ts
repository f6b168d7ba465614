import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { createContext, useContext } from 'react';
import { placeholders } from './placeholders.ts';

/** Values for the placeholders. `preview`: of a valid key of the user. */
export type Reader = { address: string; preview: string | undefined };

export const ReaderContext = createContext<Reader>({ address: placeholders.address, preview: undefined });
export const useReader = (): Reader => useContext(ReaderContext);

/** The newest key that can process images. Test keys are preferred, because they cost nothing. */
export function chooseKey(keys: readonly ApiKeyView[]): ApiKeyView | undefined {
  const usable = keys.filter(
    ({ isActive, isExpired, replacedBy, scopes }) =>
      isActive && !isExpired && replacedBy === null && scopes.includes('process'),
  );
  return usable.find(({ kind }) => kind === 'test') ?? usable[0];
}
