import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { contract } from '../http/contract.ts';
import { describeMissingRoute } from '../http/find-methods.ts';
import type { RequestCounter } from '../http/rate-limit.ts';
import { registerKeyedApi } from '../v1/register-keyed-api.ts';
import { guardMcpOrigin } from './guard-mcp-origin.ts';
import { receiveMessages } from './receive-messages.ts';

type Options = { deps: Deps; countRequest: RequestCounter; closing: AbortSignal };

/** Headers of the protocol. */
const protocolHeaders = ['MCP-Protocol-Version', 'Mcp-Session-Id', 'Last-Event-ID'];

/**
 * The Model Context Protocol, mounted at `/mcp`: streamable HTTP without sessions. Its tools make requests of `/v1` in this
 * process, with the key of the caller, so that permissions, limits, and charges are the same.
 */
export async function mcpPlugin(app: App, { deps, countRequest, closing }: Options): Promise<void> {
  app.addHook('onRequest', guardMcpOrigin(deps));
  registerKeyedApi(app, { deps, countRequest, corsHeaders: protocolHeaders });
  // Clients of the protocol expect 405 where a server has no stream to open with GET, and no session to end with DELETE.
  app.setNotFoundHandler((request, reply) => {
    throw describeMissingRoute(request, reply);
  });
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('*', (_request, _body, ready) => ready(null));
  app.route({
    ...contract('mcp'),
    url: '',
    handler: (request, reply) => receiveMessages(deps, { app, request, reply, closing }),
  });
}
