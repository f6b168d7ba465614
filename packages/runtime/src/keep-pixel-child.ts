import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { FromChild } from '@uprez/contracts/schemas/child-messages';
import { openPixelChild, type PixelChild, type PixelChildOptions } from './open-pixel-child.ts';

export type KeptChild = {
  /** The child if it is ready now. */
  current: () => PixelChild | undefined;
  /** The child as soon as it is ready; never one that is ending. Rejects after `close`. */
  get: () => Promise<PixelChild>;
  /** Who hears the child's messages: one listener at a time. */
  listen: (listener: (message: FromChild) => void) => void;
  close: () => Promise<void>;
};

type KeepOptions = Omit<PixelChildOptions, 'onMessage'> & {
  onStartFailed: (error: unknown) => void;
  /** Called with the reason when a child ends before `close`. */
  onExit?: (reason: ErrorCode) => void;
};

const restartPauseMs = 500;

/** Keep one warm child: start it now, and start another whenever it ends. */
export function keepPixelChild({ onStartFailed, onExit, ...options }: KeepOptions): KeptChild {
  let child: PixelChild | undefined;
  let closed = false;
  let listener: (message: FromChild) => void = () => {};
  let starting = start();

  async function start(): Promise<PixelChild> {
    for (;;) {
      try {
        const opened = await openPixelChild({ ...options, onMessage: (message) => listener(message) });
        child = opened;
        void opened.exited.then((reason) => {
          if (closed) return;
          onExit?.(reason);
          starting = start();
        });
        return opened;
      } catch (error) {
        onStartFailed(error);
        if (closed) throw error;
        await new Promise((resolve) => setTimeout(resolve, restartPauseMs));
      }
    }
  }

  return {
    current: () => (child?.alive() ? child : undefined),
    get: async () => {
      while (!closed) {
        const open = await starting;
        if (open.alive()) return open;
        await open.exited;
      }
      throw new Error('The child is closed.');
    },
    listen: (next) => {
      listener = next;
    },
    close: async () => {
      closed = true;
      const open = await starting.catch(() => undefined);
      open?.kill('processing_crashed');
      await open?.exited;
    },
  };
}
