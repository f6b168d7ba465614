import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { waitUntil } from '@uprez/testing/wait-until';

/** Records the server sockets of uploads to measure the bytes read from them. */
export type WatchedSockets = {
  open: Set<Socket>;
  /** Waits until all connections are closed, and returns the largest number of bytes read from one. */
  bytesRead: () => Promise<number>;
  stop: () => void;
};

export function watchSockets(): WatchedSockets {
  const open = new Set<Socket>();
  const note = (message: unknown) => {
    const { request, socket } = message as { request: { method: string }; socket: Socket };
    if (request.method === 'POST') open.add(socket);
  };
  diagnostics.subscribe('http.server.request.start', note);
  return {
    open,
    bytesRead: async () => {
      await waitUntil(() => [...open].every((socket) => socket.destroyed), { what: 'the connections closed' });
      return Math.max(...[...open].map((socket) => socket.bytesRead));
    },
    stop: () => diagnostics.unsubscribe('http.server.request.start', note),
  };
}
