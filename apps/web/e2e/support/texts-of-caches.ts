import type { Page } from '@playwright/test';

/**
 * Returns the contents of the page's query and mutation caches as a string. The page doesn't expose its caches, so they
 * are found through React's root element. Throws if no cache is found, because tests that search for secrets would
 * otherwise pass.
 */
export const textsOfCaches = (page: Page): Promise<string> =>
  page.evaluate(() => {
    type Cache = { getAll: () => { state: unknown; options: unknown }[] };
    type Client = { getQueryCache: () => Cache; getMutationCache: () => Cache };
    type Fiber = { child: Fiber | null; sibling: Fiber | null; memoizedProps: { client?: Client } | null };
    const root = document.getElementById('root') as unknown as Record<string, Fiber>;
    const find = (fiber: Fiber | null): Client | undefined => {
      for (let one = fiber; one; one = one.sibling) {
        const client = one.memoizedProps?.client;
        if (client?.getMutationCache) return client;
        const below = find(one.child);
        if (below) return below;
      }
      return undefined;
    };
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer'));
    const client = find(root[key ?? ''] ?? null);
    if (!client) throw new Error('The page has no cache.');
    const entries = [...client.getQueryCache().getAll(), ...client.getMutationCache().getAll()];
    return JSON.stringify(entries.map(({ state, options }) => ({ state, options })));
  });
