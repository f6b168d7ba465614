import { builtinEnvironments, type Environment } from 'vitest/runtime';

/** Globals of Node.js to keep for calls to a real gateway and for the database driver. */
const keptGlobals = [
  'fetch',
  'Headers',
  'Request',
  'Response',
  'AbortController',
  'AbortSignal',
  'URL',
  'URLSearchParams',
];

/** A happy-dom page whose requests are made by Node.js. @public */
export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: async (global, options) => {
    const own = keptGlobals.map((name) => [name, global[name]] as const);
    const environment = await builtinEnvironments['happy-dom'].setup(global, options);
    for (const [name, value] of own) Object.defineProperty(global, name, { value, writable: true, configurable: true });
    return environment;
  },
} satisfies Environment;
