import { countExits, type RestartOptions } from './count-exits.ts';

interface Server {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens an embedded server, and starts it again on the same port and data when it exits by itself, like a service. `open`
 * passes the callback on to the server.
 */
export async function superviseServer<T extends Server>(
  name: string,
  open: (onUnexpectedExit: (ending: string) => void) => Promise<T>,
  options: RestartOptions,
) {
  const nextDelayMs = countExits(name, options);
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  let stopping = false;
  const restart = async () => {
    try {
      await server.start();
      options.onLine(name, 'running again');
    } catch (error) {
      onExit((error as Error).message);
    }
  };
  const onExit = (ending: string) => {
    const delayMs = stopping ? undefined : nextDelayMs(ending);
    if (delayMs === undefined) return;
    timer = setTimeout(() => {
      starting = restart();
    }, delayMs);
  };
  const server = await open(onExit);
  return {
    server,
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await starting;
      await server.stop();
    },
  };
}
