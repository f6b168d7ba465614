import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Deps } from '../../deps.ts';
import { holderOf } from '../request-callers.ts';
import { maxBodyBytesOf } from './body-budgets.ts';
import { hasBody, isForm } from './request-bodies.ts';
import { watchUpload } from './watch-upload.ts';

/**
 * Reads a JSON body of at most `maxBytes`, on routes that read bodies themselves. Throws `file_too_large`,
 * `malformed_body` (also for too many values), and `invalid_parameter`.
 */
export const readJson = async (request: FastifyRequest, maxBytes: number): Promise<unknown> =>
  parseJson(await readBytes(request, maxBytes));

/** Reads the bytes of a JSON body of at most `maxBytes`. Throws `file_too_large` and `malformed_body`. */
export async function readBytes(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const { raw, headers } = request;
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw jsonTooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Doesn't destroy the request, because that would prevent a response.
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw jsonTooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw toBodyError(error);
  }
  return Buffer.concat(chunks);
}

/** Parses a JSON body. Throws `malformed_body` and `invalid_parameter`. */
export function parseJson(body: Buffer): unknown {
  try {
    rejectTooManyValues(body);
    const text = removeByteOrderMark(body.toString('utf8'));
    const value: unknown = JSON.parse(text, refuseProto);
    refuseDuplicates(text);
    return value;
  } catch (error) {
    throw toBodyError(error);
  }
}

const toBodyError = (error: unknown) =>
  error instanceof AppError ? error : new AppError('malformed_body', { param: 'body', cause: error });

/** Throws `malformed_body` with the first duplicate key of an object. */
function refuseDuplicates(text: string): void {
  const key = findDuplicateKey(text)?.slice(0, 40);
  if (key !== undefined)
    throw new AppError('malformed_body', { detail: `The field "${key}" was sent twice.`, param: key });
}

/**
 * Parses JSON bodies on all routes that let Fastify read them. Disconnects clients with stalled bodies, and reserves
 * memory for potentially large bodies. Throws `server_busy`.
 */
export function registerJsonBodies(app: FastifyInstance, { bodies }: Pick<Deps, 'bodies'>): void {
  registerJsonParser(app);
  app.addHook('onRequest', async (request, reply) => {
    const maxBytes = request.routeOptions.bodyLimit ?? 0;
    if (maxBytes > limits.bodyBytes && hasBody(request.raw) && !isForm(request)) {
      const bytes = jsonMemoryFactor * maxBodyBytesOf(request, maxBytes);
      const release = await bodies.memory.hold(holderOf(request), bytes);
      reply.raw.once('close', release);
      // The client may have disconnected during the wait.
      if (reply.raw.closed) release();
    }
    await watchBody(request, reply);
  });
}

/**
 * Memory that a body takes, as a multiple of its size. Includes its bytes, its string, and its values, which take more
 * memory than the string.
 */
const jsonMemoryFactor = 4;

/**
 * Disconnects clients with stalled bodies. Skips forms, because uploads get a response when they stall, and are watched
 * where they are received.
 */
async function watchBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!hasBody(request.raw) || isForm(request)) return;
  const watch = watchUpload(request.raw);
  watch.signal.addEventListener('abort', () => request.raw.destroy());
  reply.raw.once('close', watch.stop);
}

/** Registers a JSON parser that rejects duplicate keys, and removes the parser for plain text. */
function registerJsonParser(app: FastifyInstance): void {
  // Forms on other sites can send plain text without a CORS preflight.
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = removeByteOrderMark(String(body));
    if (text === '' && canOmitBody(request)) return done(null);
    void parse(request, text, (error, value) => {
      if (error) return done(error);
      try {
        refuseDuplicates(text);
      } catch (duplicate) {
        return done(duplicate as Error);
      }
      done(null, value);
    });
  });
}

/** Removes the byte order mark that some programs write at the start of UTF-8 text. */
const removeByteOrderMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Some clients send a content type even without a body. */
function canOmitBody({ routeOptions }: FastifyRequest): boolean {
  const schema = routeOptions.schema?.body as z.ZodType | undefined;
  return schema === undefined || schema.safeParse(undefined).success;
}

/** Characters that start or separate values. Base64 doesn't contain them, so images don't add to the count. */
const valueDelimiters = Buffer.from(',[{');

/** Parsing millions of small values would block the event loop. */
function rejectTooManyValues(body: Buffer): void {
  for (const mark of valueDelimiters) {
    let count = 0;
    for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) {
      count += 1;
      if (count > limits.jsonValues)
        throw new AppError('malformed_body', {
          detail: 'The JSON body has too many values.',
          param: 'body',
          limitName: 'json_values',
        });
    }
  }
}

/** Rejects the key `__proto__`, which validators drop silently. */
function refuseProto(name: string, value: unknown): unknown {
  if (name !== '__proto__') return value;
  throw new AppError('invalid_parameter', { detail: `Unknown parameter "${name}".`, param: name });
}

export const jsonTooLarge = (limit: number) =>
  new AppError('file_too_large', {
    detail: `A JSON body can be up to ${limit / 1024 / 1024} MB. Send larger images as a form or as the request body.`,
    param: 'body',
    meta: { limit },
    limitName: 'json_size',
  });

type Scope = Set<string>;

/**
 * Returns the first duplicate key of an object in a valid JSON text, or undefined if all keys are unique. `JSON.parse`
 * can't detect duplicates: it silently keeps the last value, and its reviver doesn't see the others.
 */
export function findDuplicateKey(text: string): string | undefined {
  const scopes: Scope[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '{') scopes.push(new Set());
    else if (mark === '}') scopes.pop();
    else if (mark === '"') {
      const end = endOfString(text, at);
      if (isKey(text, end)) {
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        const scope = scopes.at(-1);
        if (scope?.has(key)) return key;
        scope?.add(key);
      }
      at = end;
    }
  }
  return undefined;
}

/**
 * Returns the index of the quote that closes the string at `start`. Uses `indexOf`, because its native code skips
 * megabytes of base64 quickly.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Only keys are followed by a colon. */
function isKey(text: string, end: number): boolean {
  let at = end + 1;
  while (' \t\r\n'.includes(text[at] ?? ']')) at += 1;
  return text[at] === ':';
}
