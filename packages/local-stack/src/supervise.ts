import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { countExits, type RestartOptions } from './count-exits.ts';

export interface ServiceCommand {
  name: string;
  /** For Node.js: its options, the file, and the file's arguments. */
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Exists while the process runs. The next starter finds a process by it if this starter is killed. */
  pidFile: string;
}

export interface SuperviseOptions extends RestartOptions {
  /** Time between SIGTERM and SIGKILL. */
  graceMs?: number;
}

const GRACE_MS = 10_000;

/** Starts a service and restarts it when it exits, until it is stopped or exits five times within a minute. */
export function superviseService(command: ServiceCommand, options: SuperviseOptions) {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  const nextDelayMs = countExits(command.name, options);

  const run = () => {
    child = spawnService(command, options.onLine);
    child.once('exit', (code, signal) => onExit(signal ?? `code ${code}`));
  };
  const onExit = (ending: string) => {
    child = undefined;
    rmSync(command.pidFile, { force: true });
    if (stopping) return;
    const delayMs = nextDelayMs(ending);
    if (delayMs !== undefined) timer = setTimeout(run, delayMs);
  };

  run();
  return {
    name: command.name,
    /** Undefined between an exit and the restart. */
    get pid() {
      return child?.pid;
    },
    /** Sends SIGTERM, and after `graceMs` SIGKILL to the service and its children. */
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      if (child) await stopService(child, options.graceMs ?? GRACE_MS);
    },
  };
}

function spawnService(command: ServiceCommand, onLine: SuperviseOptions['onLine']): ChildProcess {
  // In its own session, so that Ctrl-C reaches only the starter. Its children join its process group.
  const child = spawn(process.execPath, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => onLine(command.name, line));
  }
  mkdirSync(dirname(command.pidFile), { recursive: true });
  writeFileSync(command.pidFile, `${child.pid}\n`);
  return child;
}

async function stopService(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => process.kill(-(child.pid as number), 'SIGKILL'), graceMs);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(timer);
}
