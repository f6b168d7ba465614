import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface SetupCommand {
  file: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Runs the setup of the product: migrations, storage, and first administrator. Its output, which contains the password of
 * the first administrator, goes to the terminal. Throws when it fails.
 */
export async function runSetup({ file, cwd, env, signal }: SetupCommand): Promise<void> {
  const args = ['--enable-source-maps', file];
  const child = spawn(process.execPath, args, { cwd, env, signal, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code, ending] = await once(child, 'exit');
  if (code !== 0) throw new Error(`setup failed with ${ending ?? `code ${code}`}. See its output above.`);
}
