import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { waitUntil } from '@uprez/testing/wait-until';

/** The server's ends of the connections that upload, for what was read from them. */
export type WatchedSockets = {
  open: Set<Socket>;
  /** The largest count of bytes that the server read from one connection, once all are closed. */
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
