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
  /** Total time for DNS, connecting, sending, and the response. */
  timeoutMs: number;
  /** Maximum time without progress, if the server accepts no data or doesn't respond. */
  stallMs: number;
  signal: AbortSignal;
  network?: FetchNetwork | undefined;
};
/** Status code of any response, including redirects, or the reason why there was no response. */
export type Put = { status: number } | { failure: FailureReason | 'not_allowed' };

/** Maximum bytes received. Only the status code of the response is read. */
const receivedBytes = 1024 * 1024;

/**
 * PUTs a file to an untrusted URL under the rules of `fetchGuarded`. Redirects are returned, not followed. Always
 * destroys the body. Throws the signal's reason and errors of the body.
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

/**
 * Returns a stream with the same bytes. Calls `onRead` whenever the connection takes more bytes, which it does after
 * sending the previous ones.
 */
function trackReads(body: Readable, onRead: () => void): Readable {
  const read = async function* () {
    for await (const chunk of body) {
      onRead();
      yield chunk;
    }
  };
  return Readable.from(read(), { objectMode: false, highWaterMark: 1 });
}
