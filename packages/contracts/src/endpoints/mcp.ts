import { bytes, defineEndpoints, type Endpoint } from './endpoint.ts';
import type { mcpRoutes } from './routes-mcp.ts';

/**
 * The Model Context Protocol. It has no scope of its own, because its tools make requests of the public API with the same
 * key, which check the scope.
 */
export const mcpEndpoints = defineEndpoints('key', {
  mcp: {
    // A message or a stream of messages, or nothing after a notification. The other statuses are those of the protocol.
    answers: { 200: bytes, 202: bytes, 400: bytes, 406: bytes, 415: bytes },
    errors: ['file_too_large', 'unsupported_encoding'],
  },
}) satisfies Record<keyof typeof mcpRoutes, Endpoint>;
