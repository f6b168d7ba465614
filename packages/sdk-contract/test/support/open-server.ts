import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { inheritedEnv } from '@uprez/testing/config';
import { waitUntil } from '@uprez/testing/wait-until';
import { packagesDir } from './sdks.ts';

export const examplesDir = path.join(packagesDir, '../examples');

type Server = { command: (port: number) => readonly string[]; cwd: string; env?: Record<string, string> };

/** Starts a server as a process, on a free port that it gets as `PORT`, and waits until it responds. */
export async function openServer({ command, cwd, env = {} }: Server) {
  const port = await findFreePort();
  const [program = '', ...args] = command(port);
  const child = spawn(program, args, {
    cwd,
    env: { ...inheritedEnv, PYTHONDONTWRITEBYTECODE: '1', ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  // Unlike "exit", "close" follows the last output.
  const ended = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const responds = async () => {
    if (child.exitCode !== null) {
      await ended;
      throw new Error(`${program} ended with code ${child.exitCode}\n${errors}`);
    }
    return fetch(url).then(
      () => true,
      () => false,
    );
  };
  const close = async () => {
    child.kill();
    await ended;
  };
  try {
    await waitUntil(responds, { what: `a response of ${args.join(' ')}` });
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close };
}
