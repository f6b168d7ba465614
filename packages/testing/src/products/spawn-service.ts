import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pollUntil, waitForReady } from '@uprez/local-stack/poll-until';
import { inheritedEnv } from '../config.ts';

/** Long enough for a busy machine. On an idle machine, a service starts in 2 s. */
const START_TIMEOUT_MS = 60_000;
const rootDir = fileURLToPath(new URL('../../../..', import.meta.url));

export type ServiceName = 'gateway' | 'worker' | 'dispatcher';

export type SpawnedService = ReturnType<typeof spawnService>;

type SpawnOptions = {
  /** Command and arguments to put before the service's command line. */
  wrapper?: readonly string[];
  /** The checkout that contains the build. Defaults to this checkout. */
  checkout?: string;
};

/** Starts a built service as a process. The caller must end it. */
export function spawnService(name: ServiceName, env: Record<string, string>, options: SpawnOptions = {}) {
  const { wrapper = [], checkout = rootDir } = options;
  const main = path.join(checkout, 'services', name, 'dist/main.js');
  const flags = ['--enable-source-maps', ...(name === 'gateway' ? ['--max-semi-space-size=1'] : [])];
  const [command = '', ...args] = [...wrapper, process.execPath, ...flags, main];
  const child = spawn(command, args, {
    cwd: checkout,
    env: { ...inheritedEnv, LOG_LEVEL: 'info', METRICS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    readline.createInterface({ input: stream }).on('line', (line) => lines.push(line));
  }
  const exited = once(child, 'exit');
  const wait = { timeoutMs: START_TIMEOUT_MS };
  return {
    name,
    pid: child.pid ?? 0,
    process: child,
    /** Waits until the gateway is listening, and returns its URL. The system chooses the port, so it is always free. */
    publicUrl: async () => {
      const { url } = await pollUntil(() => findLogged(lines, 'listening'), { ...wait, waitingFor: `for ${name}` });
      return `http://127.0.0.1:${new URL(String(url)).port}`;
    },
    lines,
    /** Returns the host and port where a ready service serves its metrics. */
    operatorAddress: () => operatorAddress(lines),
    /** Reads the metrics of a service that is ready, as text. */
    metrics: async () => (await fetch(`http://${operatorAddress(lines)}/metrics`)).text(),
    /** Sends a signal and waits for the process to exit. No-op if it has already exited. */
    end: async (signal: NodeJS.Signals) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await exited;
    },
    ready: async () => {
      const gone = new AbortController();
      void exited.then(() => gone.abort(new Error(`${name} ended:\n${lines.slice(-20).join('\n')}`)));
      const options = { ...wait, signal: gone.signal };
      const waitingFor = `for the operator endpoints of ${name}`;
      const { port } = await pollUntil(() => findLogged(lines, 'operator endpoints are up'), {
        ...options,
        waitingFor,
      });
      await waitForReady(`http://127.0.0.1:${port}/readyz`, { ...options, name });
    },
  };
}

const operatorAddress = (lines: readonly string[]) =>
  `127.0.0.1:${findLogged(lines, 'operator endpoints are up')?.port}`;

function findLogged(lines: readonly string[], message: string): Record<string, unknown> | undefined {
  const line = lines.find((text) => text.startsWith('{') && text.includes(`"msg":"${message}"`));
  return line === undefined ? undefined : JSON.parse(line);
}
