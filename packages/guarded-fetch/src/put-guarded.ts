import { Readable } from 'node:stream';
import { AppError } from '@uprez/contracts/errors/app-error';
import { request } from 'undici';
import { checkUrl } from './check-url.ts';
import { type FailureReason, failureReason } from './describe-failure.ts';
import type { FetchNetwork } from './fetch-guarded.ts';
import { findAddresses } from './find-addresses.ts';
import { openDeadline, untilAborted } from './open-deadline.ts';
import { openPinnedAgent } from './open-pinned-agent.ts';

export type PutOptions = {
  body: Readable;
  sizeBytes: number;
  contentType: string;
  /** Total time for DNS, connecting, sending, and the response, in milliseconds. */
  timeoutMs: number;
  /** Maximum time without progress, in milliseconds. The server makes progress by accepting data or responding. */
  stallMs: number;
  signal: AbortSignal;
  network?: FetchNetwork | undefined;
};
/** Status code of the response, or the reason why none arrived. Redirects count as responses. */
export type Put = { status: number } | { failure: FailureReason | 'not_allowed' };

/** Maximum data received, in bytes. Only the response's status code is read. */
const receivedBytes = 1024 * 1024;

/**
 * Sends a file to an untrusted URL with PUT, under the same rules as `fetchGuarded`. Returns redirects instead of
 * following them. Always destroys the body. Throws the signal's reason and the body's errors.
 */
export async function putGuarded(text: string, { body, signal, network = {}, ...options }: PutOptions): Promise<Put> {
  const deadline = openDeadline(options.timeoutMs, signal);
  const stall = openDeadline(options.stallMs, deadline.signal);
  let bodyError: unknown;
  body.once('error', (error) => {
    bodyError = error;
  });
  try {
    const target = checkUrl(text);
    const addresses = await untilAborted(findAddresses(target, network.resolve), stall.signal);
    const agent = openPinnedAgent(addresses, { ...network, receivedBytes });
    try {
      const sent = request(target.url, {
        ...{ dispatcher: agent.dispatcher, method: 'PUT', body: trackReads(body, stall.restart), signal: stall.signal },
        headers: {
          ...{ 'content-type': options.contentType, 'content-length': String(options.sizeBytes) },
          'user-agent': 'Uprez (result delivery)',
        },
      });
      const { statusCode } = await untilAborted(sent, stall.signal);
      return { status: statusCode };
    } finally {
      await agent.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (bodyError !== undefined && bodyError === error) throw error;
    if (!(error instanceof AppError)) return { failure: failureReason(error) };
    return { failure: error.code === 'url_not_allowed' ? 'not_allowed' : 'dns' };
  } finally {
    stall.close();
    deadline.close();
    body.destroy();
  }
}

/** Calls `onRead` whenever the connection reads a chunk, which means that it has sent the previous one. */
function trackReads(body: Readable, onRead: () => void): Readable {
  const read = async function* () {
    for await (const chunk of body) {
      onRead();
      yield chunk;
    }
  };
  return Readable.from(read(), { objectMode: false, highWaterMark: 1 });
}
