import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@uprez/local-stack/find-free-port';
import { waitForReady } from '@uprez/local-stack/wait-for-ready';
import { inheritedEnv } from './config.ts';

const rootDir = fileURLToPath(new URL('../../..', import.meta.url));

export type ServiceName = 'gateway' | 'worker' | 'dispatcher';

export type SpawnedService = {
  name: ServiceName;
  pid: number;
  process: ChildProcess;
  /** Where /readyz and /metrics are. */
  operatorUrl: string;
  /** Its output lines so far. */
  lines: string[];
  /** Send a signal; for an ending one, wait for the end. */
  end: (signal: NodeJS.Signals) => Promise<void>;
  ready: () => Promise<void>;
};

/** Start a built service as a process of its own. The caller ends it. */
export async function spawnService(name: ServiceName, env: Record<string, string>): Promise<SpawnedService> {
  const port = await findFreePort();
  const main = path.join(rootDir, 'services', name, 'dist/main.js');
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', ...(name === 'gateway' ? ['--max-semi-space-size=1'] : []), main],
    {
      cwd: rootDir,
      env: { ...inheritedEnv, LOG_LEVEL: 'info', METRICS_PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    readline.createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  const exited = once(child, 'exit');
  const operatorUrl = `http://127.0.0.1:${port}`;
  return {
    name,
    pid: child.pid ?? 0,
    process: child,
    operatorUrl,
    lines,
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await exited;
    },
    ready: async () => {
      const gone = new AbortController();
      void exited.then(() => gone.abort(new Error(`${name} ended:\n${lines.slice(-20).join('\n')}`)));
      await waitForReady(`${operatorUrl}/readyz`, { name, timeoutMs: 60_000, signal: gone.signal });
    },
  };
}
