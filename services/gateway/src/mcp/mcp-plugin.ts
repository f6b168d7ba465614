import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { contract } from '../http/contract.ts';
import { sendProblem } from '../http/handle-error.ts';
import type { RequestCounter } from '../http/rate-limit.ts';
import { presentV1Problem } from '../v1/errors.ts';
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
  app.setNotFoundHandler((request, reply) => rejectMethod(deps, request, reply));
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('*', (_request, _body, ready) => ready(null));
  app.route({
    ...contract('mcp'),
    url: '',
    handler: (request, reply) => receiveMessages(deps, { app, request, reply, closing }),
  });
}

/**
 * 405 for other methods: the protocol requires it where a server has no stream to open with GET, and no session to end with
 * DELETE.
 */
function rejectMethod({ config }: Pick<Deps, 'config'>, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.url.split('?')[0] !== contract('mcp').url) throw new AppError('not_found');
  const detail = `This URL doesn't support ${request.method}.`;
  const problem = presentV1Problem(new AppError('not_found', { detail, hint: 'Use POST.' }), {
    id: request.id,
    config,
  });
  return sendProblem(reply.status(405).header('allow', 'POST'), { ...problem, status: 405 });
}
