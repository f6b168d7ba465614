import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { formatBytes } from '@uprez/contracts/texts/format';
import { reportLimit } from '@uprez/domain/report-limit';
import { orUnavailable } from '@uprez/storage/unavailable';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { imageField, readBody, requireJsonSize } from '../features/uploads/receive-image.ts';
import { maxBodyBytesOf } from '../http/bodies/body-budgets.ts';
import { cutField, openBase64Decoder } from '../http/bodies/cut-field.ts';
import { parseJson, readJson } from '../http/bodies/read-json.ts';
import { watchUpload } from '../http/bodies/watch-upload.ts';
import { makeDisconnectSignal } from '../http/connections.ts';
import { contract } from '../http/contract.ts';
import { describeMissingRoute } from '../http/handle-error.ts';
import { countAgainstRateClass, type RequestCounter } from '../http/rate-limit.ts';
import { holderOf, waitForNetwork } from '../http/request-callers.ts';
import { isListedOrigin } from '../v1/cors.ts';
import { registerKeyedApi } from '../v1/keyed-api.ts';

type Options = { deps: Deps; countRequest: RequestCounter; closing: AbortSignal };

/** Request headers that pages of other origins may send. */
const protocolHeaders = ['MCP-Protocol-Version', 'Mcp-Session-Id', 'Last-Event-ID'];

/**
 * The Model Context Protocol endpoint, mounted at `/mcp`. Uses streamable HTTP without sessions. Tools send requests to
 * `/v1` within this process, using the caller's key. They therefore have the same permissions, limits, and charges.
 */
export async function mcpPlugin(app: App, { deps, countRequest, closing }: Options): Promise<void> {
  app.addHook('onRequest', guardMcpOrigin(deps));
  registerKeyedApi(app, { deps, countRequest, corsHeaders: protocolHeaders });
  // MCP clients expect 405 for GET if the server offers no stream, and for DELETE if it has no sessions.
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

/**
 * Rejects requests from pages of other origins, as MCP requires. Compares `Origin` with the configured URL and not with
 * `Host`: if the host name of a page resolves to a local gateway (DNS rebinding), the browser sends that name in both
 * headers. Programs other than browsers send no origin.
 */
function guardMcpOrigin(deps: Pick<Deps, 'config' | 'settings' | 'keyOrigins'>) {
  const own = new URL(deps.config.PUBLIC_URL).origin;
  return async (request: FastifyRequest): Promise<void> => {
    const { origin } = request.headers;
    if (origin === undefined || origin === own || (await isListedOrigin(deps, origin))) return;
    await waitForNetwork(request);
    throw new AppError('bad_origin');
  };
}

type McpRequest = { app: App; request: FastifyRequest; reply: FastifyReply; closing: AbortSignal };

const tooLarge = `A request can be up to ${formatBytes(limits.jsonImageBytes)}. Send larger images as "image_url".`;

const transportHeaders = ['content-type', 'cache-control', 'x-accel-buffering'];

/**
 * Responds to the messages of a request with JSON or with an event stream. Throws the errors of `readMessages`, and
 * `rate_limited`.
 */
async function receiveMessages(deps: Pick<Deps, 'config' | 'bodies'>, received: McpRequest): Promise<FastifyReply> {
  const { request, reply } = received;
  if (isLarge(request)) await countAgainstRateClass('uploads', request, reply);
  const messages = await readMessages(deps, request).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'file_too_large' ? error.with({ detail: tooLarge }) : error;
  });
  try {
    await respond(deps, received, messages);
  } finally {
    await messages.close();
  }
  return reply;
}

/**
 * Responds with JSON-RPC's "Invalid Request" error, which MCP clients can read. The error has no ID, because it doesn't
 * belong to any single message.
 */
function rejectTooManyMessages(reply: FastifyReply): void {
  reportLimit('mcp_messages');
  const message = `A request can contain up to ${limits.mcpMessages} messages. Send the others in further requests.`;
  void reply.status(400).send({ jsonrpc: '2.0', error: { code: -32_600, message }, id: null });
}

async function respond({ config }: Pick<Deps, 'config'>, received: McpRequest, messages: Messages): Promise<void> {
  const { body, openImage, onImageSent } = messages;
  const { app, request, reply, closing } = received;
  // The client may have disconnected while the request was waiting. In that case, `close` has already been emitted, and
  // `ended` would never resolve.
  if (reply.raw.closed) return;
  if (Array.isArray(body) && body.length > limits.mcpMessages) return rejectTooManyMessages(reply);
  const ended = once(reply.raw, 'close').catch(() => undefined);
  const { authorization = '' } = request.headers;
  const client = {
    apiKey: authorization.replace(/^bearer +/i, ''),
    baseUrl: config.PUBLIC_URL,
    fetch: withUploadCallback(makeLocalFetch(app, config, request), onImageSent),
    // Leaves retries to the calling model.
    maxRetries: 0,
  };
  // Gateways without MCP requests don't need the SDK.
  const { answerHttp } = await import('@uprez/mcp/answer-http');
  const headers = request.headers as Record<string, string>;
  const response = await answerHttp({ client, headers, body, openImage, signal: makeDisconnectSignal(reply, closing) });
  reply.status(response.status);
  for (const name of transportHeaders) if (response.headers.has(name)) reply.header(name, response.headers.get(name));
  void reply.send(response.body ? Readable.fromWeb(response.body as ReadableStream) : undefined);
  await ended;
}

/** Calls `done` after each request with a binary body. */
const withUploadCallback =
  (send: typeof fetch, done: () => void): typeof fetch =>
  async (input, init) => {
    try {
      return await send(input, init);
    } finally {
      if (init?.body instanceof Uint8Array) done();
    }
  };

type Method = 'GET' | 'POST' | 'DELETE';

const bodilessStatuses = [204, 205, 304];
/** Headers that identify the caller. They are copied to the requests that tools send. */
const attributionHeaders = ['host', 'user-agent', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Creates a `fetch` function that sends requests to this process on behalf of another request's caller. The requests
 * pass the same hooks as if the caller had sent them over the network.
 */
function makeLocalFetch(
  app: App,
  { COUNTRY_HEADER }: Pick<Config, 'COUNTRY_HEADER'>,
  { headers: own, ip, socket }: FastifyRequest,
): typeof fetch {
  const names = [...attributionHeaders, COUNTRY_HEADER].filter((name) => own[name] !== undefined);
  const caller = Object.fromEntries(names.map((name) => [name, own[name]]));
  // The socket loses its address when the client disconnects.
  const remoteAddress = socket.remoteAddress ?? ip;
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    init.signal?.throwIfAborted();
    const response = await app.inject({
      method: (init.method ?? 'GET') as Method,
      url: pathname + search,
      headers: { ...(init.headers as Record<string, string>), ...caller },
      remoteAddress,
      ...(init.body && { payload: readPayload(init.body) }),
    });
    init.signal?.throwIfAborted();
    const { statusCode: status, rawPayload } = response;
    const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(bodilessStatuses.includes(status) ? null : new Uint8Array(rawPayload), { status, headers });
  };
}

/** The API client sends only strings and bytes. */
function readPayload(body: unknown): string | Buffer {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new Error('This body cannot be sent within the process.');
}

/** How many copies of an image are in memory while it is sent to the API. */
const copies = 2;
/** Replacement for images that aren't base64. It isn't base64 either, so the tools reject it. */
const invalid = '*';

/**
 * `openImage` reads an image from the temporary file. `onImageSent` must be called after each image has been sent to the
 * API.
 */
type Messages = {
  body: unknown;
  openImage: (text: string) => Promise<Buffer> | undefined;
  onImageSent: () => void;
  close: () => Promise<void>;
};

/** Whether the images in a request must be stored in a temporary file, because of the request's size. */
const isLarge = ({ headers }: FastifyRequest): boolean =>
  headers['content-length'] === undefined || Number(headers['content-length']) > limits.bodyBytes;

/**
 * Reads the messages in a request. Stores the images of a large request in a temporary file until the gateway has
 * enough memory to send them to the API. Throws the errors of `readJson`, and `server_busy`.
 */
async function readMessages({ bodies }: Pick<Deps, 'bodies'>, request: FastifyRequest): Promise<Messages> {
  if (!isLarge(request))
    return {
      body: await readJson(request, limits.bodyBytes),
      openImage: () => undefined,
      onImageSent: () => {},
      close: async () => {},
    };
  requireJsonSize(request);
  const holder = holderOf(request);
  const releases = [await bodies.spool.hold(holder, maxBodyBytesOf(request, limits.jsonImageBytes))];
  const spool = await openSpool().catch((error: unknown) => {
    for (const release of releases) release();
    throw error;
  });
  const close = async () => {
    for (const release of releases) release();
    await spool.close();
  };
  try {
    const { body, images, sizeBytes } = await spoolImages({ bodies }, spool, request);
    const release = sizeBytes > 0 ? await bodies.memory.hold(holder, copies * sizeBytes) : () => {};
    releases.push(release);
    let left = images.size;
    const onImageSent = () => {
      left -= 1;
      if (left <= 0) release();
    };
    const openImage = (text: string) => {
      const place = images.get(text);
      return place && readSpoolRange(spool, place);
    };
    return { body, openImage, onImageSent, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens a temporary file and removes its name. The system deletes the file when the handle is closed, even if the
 * process is killed.
 */
const openSpool = (): Promise<fs.FileHandle> =>
  orUnavailable('opening a spool file', async () => {
    const name = path.join(os.tmpdir(), `uprez-body-${crypto.randomUUID()}`);
    const spool = await fs.open(name, 'wx+', 0o600);
    await fs.unlink(name);
    return spool;
  });

type SpoolRange = { start: number; bytes: number };

/**
 * Writes the images of a request to the file. Returns the messages with a placeholder for each image, and each image's
 * position in the file.
 */
async function spoolImages(deps: Pick<Deps, 'bodies'>, spool: fs.FileHandle, request: FastifyRequest) {
  const images = new Map<string, SpoolRange>();
  let sizeBytes = 0;
  const write = async (bytes: Buffer) => {
    await orUnavailable('writing a spool file', () => spool.writeFile(bytes));
    sizeBytes += bytes.length;
  };
  const watch = watchUpload(request.raw);
  try {
    const text = cutField(readBody(deps, request, watch), { field: imageField, maxRestBytes: limits.bodyBytes });
    while (await text.findValue()) {
      const start = sizeBytes;
      const isValid = await decodeAndWrite(write, text.readValue());
      const name = `image:${crypto.randomUUID()}`;
      if (isValid && sizeBytes > start) images.set(name, { start, bytes: sizeBytes - start });
      text.replaceValue(isValid ? (sizeBytes > start ? name : '') : invalid);
    }
    watch.signal.throwIfAborted();
    return { body: parseJson(text.rest()), images, sizeBytes };
  } finally {
    watch.stop();
  }
}

/**
 * Decodes base64 and writes the bytes. Returns false if a string isn't valid base64, and lets the tools report the
 * error to the caller.
 */
async function decodeAndWrite(write: (bytes: Buffer) => Promise<void>, texts: AsyncIterable<string>): Promise<boolean> {
  const notBase64 = new Error('not base64');
  const decoder = openBase64Decoder(() => notBase64);
  let isValid = true;
  const decode = async (next: () => Buffer) => {
    try {
      if (isValid) await write(next());
    } catch (error) {
      if (error !== notBase64) throw error;
      isValid = false;
    }
  };
  for await (const text of texts) await decode(() => decoder.push(text));
  await decode(() => decoder.end());
  return isValid;
}

async function readSpoolRange(spool: fs.FileHandle, { start, bytes }: SpoolRange): Promise<Buffer> {
  const image = Buffer.allocUnsafeSlow(bytes);
  await orUnavailable('reading a spool file', () => spool.read(image, 0, bytes, start));
  return image;
}
