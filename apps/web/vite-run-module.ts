import { type PluginOption, runnerImport } from 'vite';

/** Browser globals that modules of the app read on import. */
const browserGlobals = { sessionStorage: { getItem: () => null }, navigator: { platform: '', onLine: true } };

type Run = { root: string; plugins?: PluginOption[] };

/** Imports a module of the app in Node.js. The URLs of its assets are paths below `root`, such as `/src/assets/cat.jpg`. */
export async function runModule<T>(file: string, { root, plugins = [] }: Run): Promise<T> {
  for (const [name, value] of Object.entries(browserGlobals))
    if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true });
  const { module } = await runnerImport<T>(file, {
    root,
    plugins,
    mode: 'production',
    logLevel: 'error',
  });
  return module;
}
