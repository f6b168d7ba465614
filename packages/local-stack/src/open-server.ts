import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { findFreePort } from './find-free-port.ts';
import { stopOrphan } from './find-process.ts';
import { acquireLock } from './instance-lock.ts';
import { pollUntil } from './poll-until.ts';

export interface ServerOptions {
  dataDir: string;
  /** PostgreSQL stores the password at the first start. Later starts must use the same password. */
  password: string;
  /** Default: a free port. The server keeps its port across restarts. */
  port?: number;
  onStep?: (message: string) => void;
  /** Called when the server exits without a call to `stop` or `kill`. */
  onUnexpectedExit?: (ending: string) => void;
}

export interface ServerKind {
  name: string;
  dataDir: string;
  orphan: { pidFile: string; marker: string };
  stopSignal: NodeJS.Signals;
  /** Runs before the first start, while no server is using the data. */
  prepare: () => Promise<void>;
  command: (port: number) => Omit<ServerCommand, 'logFile' | 'cwd'>;
  /** Returns undefined until the server is ready. */
  isReady: (port: number, server: ServerProcess) => Promise<true | undefined>;
  /** Matches log messages about temporary failures, after which the start is retried. */
  temporary?: RegExp;
}

const START_TIMEOUT_MS = 60_000;

/**
 * Locks the data, stops any server that a killed starter left behind, and starts a server on 127.0.0.1. If another
 * starter is still running and holds the lock, throws an error with its pid. If the server doesn't start, throws an
 * error with the end of the server's log.
 */
export async function openServer(kind: ServerKind, { port: wantedPort, onUnexpectedExit }: ServerOptions) {
  const { name, dataDir } = kind;
  const stopLeftover = () => stopOrphan({ ...kind.orphan, signal: kind.stopSignal });
  const lock = acquireLock(`${dataDir}.lock`, `the ${name} data in ${dataDir}`);
  try {
    await stopLeftover();
    await kind.prepare();
    rmSync(`${dataDir}.log`, { force: true });
    const started = await startServer(kind, wantedPort);
    return makeHandle(kind, started, { onUnexpectedExit, stopLeftover, onStopped: lock.release });
  } catch (error) {
    await stopLeftover();
    lock.release();
    throw error;
  }
}

type Started = { server: ServerProcess; port: number };

async function startServer(kind: ServerKind, fixedPort?: number): Promise<Started> {
  const { name, dataDir, temporary } = kind;
  const logFile = `${dataDir}.log`;
  const waitingFor = `for ${name} to start (log: ${logFile})`;
  return pollUntil(
    async () => {
      const port = fixedPort ?? (await findFreePort());
      const server = await spawnServer({ ...kind.command(port), cwd: dataDir, logFile });
      const ask = async () => (server.ending() === undefined ? kind.isReady(port, server) : false);
      if (await pollUntil(ask, { timeoutMs: START_TIMEOUT_MS, waitingFor })) return { server, port };
      const log = readLogTail(logFile);
      // Retries, because another process may have taken the port since it was found.
      if (temporary?.test(log) || (!fixedPort && /Address already in use/.test(log))) return undefined;
      throw new Error(`${name} did not start (${server.ending()}). The end of ${logFile}:\n${log}`);
    },
    { timeoutMs: START_TIMEOUT_MS, intervalMs: 100, waitingFor },
  );
}

type HandleEvents = Pick<ServerOptions, 'onUnexpectedExit'> & {
  /** Ends the process named by the pid file in the data folder. Removes the pid file if it is stale. */
  stopLeftover: () => Promise<unknown>;
  onStopped: () => void;
};

function makeHandle(kind: ServerKind, started: Started, { onUnexpectedExit, stopLeftover, onStopped }: HandleEvents) {
  const { port } = started;
  let { server } = started;
  let isExpected = true;
  const watch = (watched: ServerProcess) => {
    void watched.exited.then(() => {
      if (isExpected && watched === server) onUnexpectedExit?.(watched.ending() ?? '');
    });
  };
  watch(server);
  return {
    port,
    /** Changes with every restart. */
    get pid() {
      return server.pid;
    },
    get running() {
      return server.ending() === undefined;
    },
    /**
     * Sends a signal, such as SIGKILL or SIGSTOP. If the signal ends the server, resolves after the server has exited.
     */
    kill: async (signal: NodeJS.Signals) => {
      isExpected = false;
      await server.kill(signal);
      isExpected = server.ending() === undefined;
    },
    /**
     * Starts the server again after it has exited, on the same port and with the same data. Throws if the server is
     * running.
     */
    start: async () => {
      if (server.ending() === undefined) throw new Error(`${kind.name} is already running`);
      await stopLeftover();
      try {
        ({ server } = await startServer(kind, port));
      } catch (error) {
        await stopLeftover();
        throw error;
      }
      isExpected = true;
      watch(server);
    },
    /**
     * Stops the server. Sends SIGKILL if the server hasn't exited after 10 s. Ends open sessions, so close clients
     * first.
     */
    stop: async () => {
      isExpected = false;
      await server.end(kind.stopSignal);
      onStopped();
    },
  };
}

interface ServerCommand {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Not a pipe, because a broken pipe would end the server after its starter is killed. */
  logFile: string;
  ids?: { uid?: number; gid?: number };
}

/** `ending` returns how the process exited ("code 1", "SIGKILL"), or undefined while the process is running. */
export type ServerProcess = Awaited<ReturnType<typeof spawnServer>>;

const GRACE_MS = 10_000;

/** Starts a database server in its own session. Ctrl-C in the terminal then reaches only the starter. */
async function spawnServer({ command, args, cwd, env, logFile, ids }: ServerCommand) {
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
  /** Waits for the exit unless the signal only pauses or resumes the process. */
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await exited;
  };
  /** Sends `signal`, then SIGKILL if the process hasn't exited after 10 s. */
  const end = async (signal: NodeJS.Signals) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await kill(signal);
    clearTimeout(timer);
  };
  return { pid: child.pid as number, ending: () => ending, exited, kill, end };
}

function readLogTail(logFile: string, lines = 15): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
