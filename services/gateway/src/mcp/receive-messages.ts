import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatBytes } from '@uprez/contracts/texts/format';
import { reportLimit } from '@uprez/domain/report-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import { untilGone } from '../http/closing-signal.ts';
import { countAs } from '../http/rate-limit.ts';
import { makeLocalFetch } from './make-local-fetch.ts';
import { isLarge, type Messages, readMessages } from './read-messages.ts';

type Received = { app: App; request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };

const tooLarge = `A request can be up to ${formatBytes(limits.jsonImageBytes)}. Send larger images as "image_url".`;

/** Headers of a response that the transport decides. */
const sent = ['content-type', 'cache-control', 'x-accel-buffering'];

/** Answers the messages of a request with JSON or with a stream of events. Throws as `readMessages` does, and `rate_limited`. */
export async function receiveMessages(
  deps: Pick<Deps, 'config' | 'bodies'>,
  received: Received,
): Promise<FastifyReply> {
  const { request, reply } = received;
  if (isLarge(request)) await countAs('uploads', request, reply);
  const messages = await readMessages(deps, request).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'file_too_large' ? error.with({ detail: tooLarge }) : error;
  });
  try {
    await answer(deps, received, messages);
  } finally {
    await messages.close();
  }
  return reply;
}

/** JSON-RPC's "Invalid Request", which clients of the protocol read. It belongs to no message, so it has no ID. */
function rejectMessages(reply: FastifyReply): void {
  reportLimit('mcp_messages');
  const message = `A request can contain up to ${limits.mcpMessages} messages. Send the others in further requests.`;
  void reply.status(400).send({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null });
}

async function answer({ config }: Pick<Deps, 'config'>, received: Received, messages: Messages): Promise<void> {
  const { body, openImage, noteSent } = messages;
  const { app, request, reply, closing } = received;
  // The client may have left while its body waited for others, and then `close` isn't emitted again.
  if (reply.raw.closed) return;
  if (Array.isArray(body) && body.length > limits.mcpMessages) return rejectMessages(reply);
  const ended = once(reply.raw, 'close').catch(() => undefined);
  const { authorization = '' } = request.headers;
  const client = {
    apiKey: authorization.replace(/^bearer +/i, ''),
    baseUrl: config.PUBLIC_URL,
    fetch: afterUploads(makeLocalFetch(app, config, request), noteSent),
    // The model decides what to do about an error.
    maxRetries: 0,
  };
  // Gateways without such requests don't load the SDK of the protocol.
  const { answerHttp } = await import('@uprez/mcp/answer-http');
  const headers = request.headers as Record<string, string>;
  const response = await answerHttp({ client, headers, body, openImage, signal: untilGone(reply, closing) });
  reply.status(response.status);
  for (const name of sent) if (response.headers.has(name)) reply.header(name, response.headers.get(name));
  void reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : undefined);
  await ended;
}

/** Calls `done` when a request with bytes has ended. */
const afterUploads =
  (send: typeof fetch, done: () => void): typeof fetch =>
  async (input, init) => {
    try {
      return await send(input, init);
    } finally {
      if (init?.body instanceof Uint8Array) done();
    }
  };
