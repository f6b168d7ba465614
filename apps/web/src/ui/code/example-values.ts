import type { ApiKeyView } from '@uprez/contracts/schemas/api-keys';
import { keyPlaceholder, urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import { createContext, useContext } from 'react';

export const placeholders = { address: urlPlaceholder, key: keyPlaceholder } as const;
export const secretPlaceholder = 'whsec_YOUR_SECRET';

export const fillPlaceholders = (text: string, { address, key }: Record<keyof typeof placeholders, string>): string =>
  text.replaceAll(placeholders.address, address).replaceAll(placeholders.key, key);

/**
 * Values to show in the examples. `address`: the service's URL, which replaces the placeholder. `preview`: the preview
 * of one of the user's valid keys.
 */
export type ExampleValues = { address: string; preview: string | undefined };

export const ExampleValuesContext = createContext<ExampleValues>({ address: placeholders.address, preview: undefined });
export const useExampleValues = (): ExampleValues => useContext(ExampleValuesContext);

/** Returns the newest key that can process images. Prefers sandbox keys, because they cost nothing. */
export function chooseExampleKey(keys: readonly ApiKeyView[]): ApiKeyView | undefined {
  const usable = keys.filter(
    ({ isActive, isExpired, replacedBy, scopes }) =>
      isActive && !isExpired && replacedBy === null && scopes.includes('process'),
  );
  return usable.find(({ kind }) => kind === 'test') ?? usable[0];
}

/**
 * Set when a page is rendered at build time for browsers without JavaScript, with all content visible. `languages`:
 * whether examples are shown in all languages, or only in the first one.
 */
export type StaticView = { languages: 'all' | 'first' };
export const StaticViewContext = createContext<StaticView | undefined>(undefined);
export const useStaticView = (): StaticView | undefined => useContext(StaticViewContext);
