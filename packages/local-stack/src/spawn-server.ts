import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface ServerCommand {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Receives stdout and stderr. A pipe would end the server when its starter is killed. */
  logFile: string;
  ids?: { uid?: number; gid?: number };
}

export interface ServerProcess {
  pid: number;
  /** How it exited ("code 1", "SIGKILL"), or undefined while it runs. */
  ending(): string | undefined;
  exited: Promise<void>;
  /** Sends a signal. Waits for the exit unless the signal only pauses or resumes the process. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Sends `signal`, and SIGKILL after 10 s. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const GRACE_MS = 10_000;

/** Starts a database server in its own session, so that Ctrl-C in the terminal reaches only the starter. */
export async function spawnServer({ command, args, cwd, env, logFile, ids }: ServerCommand): Promise<ServerProcess> {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { ...ids, cwd, env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  await once(child, 'spawn');
  let ending: string | undefined;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      ending = signal ?? `code ${code}`;
      resolve();
    });
  });
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await exited;
  };
  const end = async (signal: NodeJS.Signals) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await kill(signal);
    clearTimeout(timer);
  };
  return { pid: child.pid as number, ending: () => ending, exited, kill, end };
}

/** Returns the last lines of a server's log, for error messages. */
export function readLogTail(logFile: string, lines = 15): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
