import type { ServerProcess } from './spawn-server.ts';

export interface RestartableOptions {
  name: string;
  /** Starts the server, always on the same port and data; resolves when it answers. */
  run: () => Promise<ServerProcess>;
  stopSignal: NodeJS.Signals;
  /** Called once the server has been stopped for good. */
  onStopped: () => void;
  onUnexpectedExit?: ((ending: string) => void) | undefined;
}

/** What the handles of PostgreSQL and Redis have in common. */
export interface Restartable {
  /** Of the present server: changes with every restart. */
  readonly pid: number;
  readonly running: boolean;
  /** Stops for good, SIGKILL after 10 s. Close clients first: open sessions are cut. */
  stop(): Promise<void>;
  /** Sends a signal (SIGKILL, SIGQUIT, SIGSTOP, SIGCONT...); resolves once an ending signal has ended the server. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** After an ending `kill`: starts again on the same port and data. */
  start(): Promise<void>;
}

/** Wraps the running server `first` so that it can be killed, started again and stopped. */
export function makeRestartable(first: ServerProcess, options: RestartableOptions): Restartable {
  let wanted = true;
  let server = first;
  const watch = (watched: ServerProcess) => {
    void watched.exited.then(() => {
      if (wanted && watched === server) options.onUnexpectedExit?.(watched.ending() ?? '');
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
      wanted = false;
      await server.kill(signal);
      wanted = server.ending() === undefined;
    },
    start: async () => {
      if (server.ending() === undefined) throw new Error(`${options.name} is running already`);
      server = await options.run();
      wanted = true;
      watch(server);
    },
    stop: async () => {
      wanted = false;
      await server.end(options.stopSignal);
      options.onStopped();
    },
  };
}
