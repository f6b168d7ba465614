import type { ServerProcess } from './spawn-server.ts';

export interface RestartableOptions {
  name: string;
  /** Starts the server on the same port and data. Resolves when it is ready. */
  run: () => Promise<ServerProcess>;
  stopSignal: NodeJS.Signals;
  /** Called after `stop`. */
  onStopped: () => void;
  onUnexpectedExit?: ((ending: string) => void) | undefined;
}

/** A server that can be killed and started again. */
export interface Restartable {
  /** Changes with every restart. */
  readonly pid: number;
  readonly running: boolean;
  /** Stops the server, with SIGKILL after 10 s. Ends open sessions, so close clients first. */
  stop(): Promise<void>;
  /** Sends a signal, such as SIGKILL or SIGSTOP. Resolves when a signal that ends the server has ended it. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts the server again after `kill`, on the same port and data. */
  start(): Promise<void>;
}

/** Makes a running server restartable. */
export function makeRestartable(first: ServerProcess, options: RestartableOptions): Restartable {
  let isExpected = true;
  let server = first;
  const watch = (watched: ServerProcess) => {
    void watched.exited.then(() => {
      if (isExpected && watched === server) options.onUnexpectedExit?.(watched.ending() ?? '');
    });
  };
  watch(first);
  return {
    get pid() {
      return server.pid;
    },
    get running() {
      return server.ending() === undefined;
    },
    kill: async (signal) => {
      isExpected = false;
      await server.kill(signal);
      isExpected = server.ending() === undefined;
    },
    start: async () => {
      if (server.ending() === undefined) throw new Error(`${options.name} is already running`);
      server = await options.run();
      isExpected = true;
      watch(server);
    },
    stop: async () => {
      isExpected = false;
      await server.end(options.stopSignal);
      options.onStopped();
    },
  };
}
