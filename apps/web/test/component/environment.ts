import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** What the tests use to call a real gateway, and what the database driver needs. */
const kept = ['fetch', 'Headers', 'Request', 'Response', 'AbortController', 'AbortSignal', 'URL', 'URLSearchParams'];

/** A page of happy-dom in which requests are those of Node.js. @public */
export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: async (global, options) => {
    const own = kept.map((name) => [name, global[name]] as const);
    const environment = await builtinEnvironments['happy-dom'].setup(global, options);
    for (const [name, value] of own) Object.defineProperty(global, name, { value, writable: true, configurable: true });
    return environment;
  },
} satisfies Environment;
