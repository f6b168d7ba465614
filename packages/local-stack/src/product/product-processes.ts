import { join } from 'node:path';

export const serviceNames = ['gateway', 'worker', 'dispatcher'] as const;
export type ServiceName = (typeof serviceNames)[number];
/** Vite, which serves the web app, runs in watch mode only. */
export const processNames = [...serviceNames, 'web'] as const;
type ProcessName = (typeof processNames)[number];

/** `built` runs the built files; in `watch`, services restart and the web app reloads when a source file changes. */
export type StartMode = 'built' | 'watch';

/** A program of the product that the starter keeps running. */
export interface ProductProcess {
  name: ProcessName;
  /** For Node.js: its options, the file, and the file's arguments. */
  args: string[];
}

export interface ProcessOptions {
  rootDir: string;
  mode: StartMode;
  /** Where Vite listens. */
  webPort: number;
}

/**
 * The gateway mostly forwards bytes. A small young generation frees their buffers sooner: 8 concurrent uploads of 50 MB
 * need 22 MB of memory instead of 44 MB.
 */
const serviceOptions: Record<ServiceName, string[]> = {
  gateway: ['--enable-source-maps', '--max-semi-space-size=1'],
  worker: ['--enable-source-maps'],
  dispatcher: ['--enable-source-maps'],
};

/** Returns how the path of a process's program begins; an orphan is recognized by it. */
export function programPath(rootDir: string, name: ProcessName): string {
  return join(rootDir, name === 'web' ? 'apps/web/' : `services/${name}/`);
}

export function listProcesses({ rootDir, mode, webPort }: ProcessOptions): ProductProcess[] {
  const file = (name: ProcessName, path: string) => join(programPath(rootDir, name), path);
  if (mode === 'built')
    return serviceNames.map((name) => ({ name, args: [...serviceOptions[name], file(name, 'dist/main.js')] }));
  const tsx = [join(rootDir, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false'];
  // Its settings tell how to compile JSX, which only the mails contain.
  const tsconfig = join(rootDir, 'packages/mail/tsconfig.json');
  const watch = [...tsx, `--tsconfig=${tsconfig}`, '--conditions=@uprez/source'];
  const viteOptions = ['--port', String(webPort), '--strictPort', '--clearScreen=false'];
  return [
    ...serviceNames.map((name) => ({ name, args: [...watch, ...serviceOptions[name], file(name, 'src/main.ts')] })),
    { name: 'web', args: [file('web', 'node_modules/vite/bin/vite.js'), 'apps/web', ...viteOptions] },
  ];
}
