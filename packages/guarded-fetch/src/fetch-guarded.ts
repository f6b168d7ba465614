import { Readable } from 'node:stream';
import { fileTooLarge } from '@uprez/contracts/errors/app-error';
import { type Dispatcher, request } from 'undici';
import { checkUrl, type Target } from './check-url.ts';
import { describeFailure, unreachable } from './describe-failure.ts';
import { findAddresses, type Resolve } from './find-addresses.ts';
import { openDeadline, untilAborted } from './open-deadline.ts';
import { type Network, openPinnedAgent } from './open-pinned-agent.ts';

/**
 * How names become addresses, and where connections lead; for tests. `sandboxLoopback`: webhooks of the sandbox may go to
 * this machine, because only its users reach the product.
 */
export type FetchNetwork = Network & { resolve?: Resolve; sandboxLoopback?: boolean };

export type GuardedOptions = {
  /** More bytes than this are not taken. */
  maxBytes: number;
  /** For everything together: names, redirects, connecting, and the last byte. */
  timeoutMs: number;
  signal?: AbortSignal;
  network?: FetchNetwork;
  /** Throws for a URL that the caller doesn't allow. Redirects are checked, too. */
  check?: ((url: URL) => void) | undefined;
};

/** The stream ends with an AppError when the file is too large or too slow. Destroy it when it is not read. */
export type Fetched = {
  stream: Readable;
  url: string;
  contentType: string | undefined;
  disposition: string | undefined;
  /** Undefined if the server doesn't say. The stream never has more. */
  declaredBytes: number | undefined;
};

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
/** What we say of ourselves: no cookie, no credentials, no address of the caller. */
const headers = { accept: 'image/*,*/*;q=0.5', 'accept-encoding': 'identity', 'user-agent': 'Uprez (image fetcher)' };

/**
 * GET a file from an untrusted URL that must be public. Connections go to the checked address, not to the name, and
 * redirects pass the same checks. Throws `url_not_allowed`, `url_unreachable`, `file_too_large`, or the signal's
 * reason.
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
    const answer = await ask(target, asking);
    if ('stream' in answer) return answer;
    target = checkUrl(answer.location, { base: target.url.href });
  }
  throw unreachable('The URL redirects too many times.');
}

/** One request: the file, or where it lies instead. */
async function ask(target: Target, { network = {}, ...options }: Asking): Promise<Fetched | { location: string }> {
  const { signal, maxBytes } = options;
  const addresses = await untilAborted(findAddresses(target, network.resolve), signal);
  const agent = openPinnedAgent(addresses, { ...network, receivedBytes: maxReceived(maxBytes) });
  try {
    const asked = request(target.url, { dispatcher: agent.dispatcher, method: 'GET', headers, signal });
    const answer = await untilAborted(asked, signal);
    // Whatever becomes of the body, it ends with its connection.
    answer.body.on('error', () => {});
    const { location } = answer.headers;
    if (redirects.has(answer.statusCode) && typeof location === 'string') {
      await agent.close();
      return { location };
    }
    checkAnswer(answer, maxBytes);
    const stream = Readable.from(cap(answer.body, maxBytes), { objectMode: false });
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

/** Room for headers, and for the frames of TLS and of chunks that are not tiny. */
const maxReceived = (bodyBytes: number) => 1.25 * bodyBytes + 1024 * 1024;

const textOf = (header: string | string[] | undefined) => [header ?? []].flat()[0];
const sizeOf = (length = '') => (/^\d+$/.test(length) ? Number(length) : undefined);

function checkAnswer({ statusCode, headers: answered }: Dispatcher.ResponseData, maxBytes: number): void {
  if (statusCode !== 200) throw unreachable(`The server responded with status ${statusCode}.`);
  const encoding = textOf(answered['content-encoding']) ?? 'identity';
  if (encoding !== 'identity') throw unreachable('The server sent an unsupported content encoding.');
  if (Number(answered['content-length'] ?? 0) > maxBytes) throw fileTooLarge(maxBytes);
}

/** The bytes of a body, as far as they are allowed. */
async function* cap(body: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let received = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxBytes) throw fileTooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw describeFailure(error);
  }
}
