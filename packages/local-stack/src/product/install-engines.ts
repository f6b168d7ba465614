import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Installation {
  rootDir: string;
  engines: readonly string[];
  env: NodeJS.ProcessEnv;
  onLine: (line: string) => void;
}

/**
 * Installs the models of engines in a background process, because conversion blocks its thread for seconds. Workers offer
 * each engine once its model is there. Prints the errors: the engines that are installed work without the others.
 */
export function installEngines({ rootDir, engines, env, onLine }: Installation) {
  const child = spawn(process.execPath, [join(rootDir, 'packages/models/dist/cli.js'), ...engines], {
    cwd: rootDir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  const exited = once(child, 'exit').catch((error: Error) => onLine(error.message));
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
