import { Readable } from 'node:stream';
import { makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { type Dispatcher, request } from 'undici';
import { checkUrl, type Target } from './check-url.ts';
import { describeFailure, unreachable } from './describe-failure.ts';
import { findAddresses, type Resolve } from './find-addresses.ts';
import { openDeadline, untilAborted } from './open-deadline.ts';
import { type Network, openPinnedAgent } from './open-pinned-agent.ts';

/**
 * Replaces DNS resolution and connections in tests. `sandboxLoopback` is whether sandbox webhooks may use loopback
 * URLs. It is safe only if the service is used by this machine alone.
 */
export type FetchNetwork = Network & { resolve?: Resolve; sandboxLoopback?: boolean };

export type GuardedOptions = {
  maxBytes: number;
  /** Total time for DNS, redirects, connecting, and receiving the body, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
  network?: FetchNetwork;
  /** Throws if the caller doesn't allow the URL. Also called for each redirect. */
  check?: ((url: URL) => void) | undefined;
};

/**
 * A fetched file. The stream fails with an AppError if the file is too large or arrives too slowly. Destroy the stream
 * if you don't read it.
 */
export type Fetched = {
  stream: Readable;
  url: string;
  contentType: string | undefined;
  disposition: string | undefined;
  /** Size from the `Content-Length` header, in bytes, or undefined without the header. The stream is never longer. */
  declaredBytes: number | undefined;
};

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
/** Sent instead of the caller's headers. They contain no cookies, credentials, or client IP address. */
const headers = { accept: 'image/*,*/*;q=0.5', 'accept-encoding': 'identity', 'user-agent': 'Uprez (image fetcher)' };

/**
 * Sends a GET request for a file to an untrusted URL, which must be public. Connects to the checked IP address without
 * resolving the name again, and checks redirects in the same way. Throws `url_not_allowed`, `url_unreachable`,
 * `file_too_large`, or the signal's reason.
 */
export async function fetchGuarded(text: string, options: GuardedOptions): Promise<Fetched> {
  const deadline = openDeadline(options.timeoutMs, options.signal);
  try {
    const fetched = await follow(text, { ...options, signal: deadline.signal });
    fetched.stream.once('close', deadline.close);
    return fetched;
  } catch (error) {
    deadline.close();
    options.signal?.throwIfAborted();
    throw describeFailure(error);
  }
}

type Asking = GuardedOptions & { signal: AbortSignal };

async function follow(text: string, asking: Asking): Promise<Fetched> {
  let target = checkUrl(text);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    asking.check?.(target.url);
    const answer = await requestOnce(target, asking);
    if ('stream' in answer) return answer;
    target = checkUrl(answer.location, { base: target.url.href });
  }
  throw unreachable('The URL redirects too many times.');
}

/** Sends one request. Returns the file, or the location of a redirect. */
async function requestOnce(
  target: Target,
  { network = {}, ...options }: Asking,
): Promise<Fetched | { location: string }> {
  const { signal, maxBytes } = options;
  const addresses = await untilAborted(findAddresses(target, network.resolve), signal);
  const agent = openPinnedAgent(addresses, { ...network, receivedBytes: maxReceived(maxBytes) });
  try {
    const asked = request(target.url, { dispatcher: agent.dispatcher, method: 'GET', headers, signal });
    const answer = await untilAborted(asked, signal);
    // Prevents an unhandled error if the body is never read. The body fails when its connection is closed.
    answer.body.on('error', () => {});
    const { location } = answer.headers;
    if (redirects.has(answer.statusCode) && typeof location === 'string') {
      await agent.close();
      return { location };
    }
    checkAnswer(answer, maxBytes);
    const stream = Readable.from(limitBytes(answer.body, maxBytes), { objectMode: false });
    stream.once('close', () => void agent.close());
    return {
      stream,
      url: target.url.href,
      contentType: textOf(answer.headers['content-type']),
      disposition: textOf(answer.headers['content-disposition']),
      declaredBytes: sizeOf(textOf(answer.headers['content-length'])),
    };
  } catch (error) {
    await agent.close();
    throw error;
  }
}

/** Leaves room for headers, TLS, and chunk framing. A body in tiny chunks exceeds this limit. */
const maxReceived = (bodyBytes: number) => 1.25 * bodyBytes + 1024 * 1024;

const textOf = (header: string | string[] | undefined) => [header ?? []].flat()[0];
const sizeOf = (length = '') => (/^\d+$/.test(length) ? Number(length) : undefined);

function checkAnswer({ statusCode, headers: answered }: Dispatcher.ResponseData, maxBytes: number): void {
  if (statusCode !== 200) throw unreachable(`The server responded with status ${statusCode}.`);
  const encoding = textOf(answered['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') throw unreachable('The server sent an unsupported content encoding.');
  if (Number(answered['content-length'] ?? 0) > maxBytes) throw makeFileTooLargeError(maxBytes);
}

/** Yields the bytes of a body. Throws `file_too_large` if there are more than `maxBytes`. */
async function* limitBytes(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let received = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxBytes) throw makeFileTooLargeError(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw describeFailure(error);
  }
}
