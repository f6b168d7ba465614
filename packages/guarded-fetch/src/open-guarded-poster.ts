import { AppError } from '@uprez/contracts/errors/app-error';
import { type Dispatcher, request } from 'undici';
import { checkUrl, type Target } from './check-url.ts';
import { type FailureReason, failureReason } from './describe-failure.ts';
import type { FetchNetwork } from './fetch-guarded.ts';
import { findAddresses } from './find-addresses.ts';
import { openDeadline, untilAborted } from './open-deadline.ts';
import { openPinnedAgent, type PinnedAgent } from './open-pinned-agent.ts';

export type Posting = {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  allowsLoopback?: boolean;
};
/**
 * The response, or the reason why none arrived. Redirects count as responses. `body` is the start of the response body.
 */
export type Posted = { status: number; body: string } | { failure: FailureReason | 'not_allowed' };
export type GuardedPoster = ReturnType<typeof openGuardedPoster>;
export type PosterOptions = {
  /** Total time for a call, in milliseconds: DNS, connecting, sending, and the response. */
  timeoutMs: number;
  /** How much of a response body to read, in bytes. */
  answerBytes: number;
  /** Maximum number of concurrent connections to a server. */
  connections: number;
  network?: FetchNetwork | undefined;
};

/** Maximum time to read the body after the headers have arrived, in milliseconds. */
const bodyMs = 2_000;
/** Maximum data received on a connection, in bytes. A connection is used for many calls. */
const receivedBytes = 16 * 1024 * 1024;

/**
 * Opens a poster, which sends POST requests to untrusted URLs under the same rules as `fetchGuarded`. Returns redirects
 * instead of following them. Use a poster only briefly, because it keeps connections and resolved addresses. `post`
 * throws only its signal's reason.
 */
export function openGuardedPoster(options: PosterOptions) {
  const agents = new Map<string, Promise<PinnedAgent>>();
  const opened = new Set<PinnedAgent>();
  let isClosed = false;
  const open = async (target: Target) => {
    const { network = {}, connections } = options;
    const addresses = await findAddresses(target, network.resolve);
    if (isClosed) throw new Error('the poster is closed');
    const agent = openPinnedAgent(addresses, { ...network, connections, receivedBytes });
    opened.add(agent);
    return agent;
  };
  const agentOf = (target: Target) => {
    const agent = agents.get(target.url.host) ?? open(target);
    agents.set(target.url.host, agent);
    return agent;
  };
  return {
    post: async ({ url, headers, body, signal, allowsLoopback }: Posting): Promise<Posted> => {
      const deadline = openDeadline(options.timeoutMs, signal);
      try {
        const target = checkUrl(url, { allowsLoopback });
        const { dispatcher } = await untilAborted(agentOf(target), deadline.signal);
        const sent = request(target.url, { dispatcher, method: 'POST', headers, body, signal: deadline.signal });
        const answer = await untilAborted(sent, deadline.signal);
        return { status: answer.statusCode, body: await readSome(answer.body, options.answerBytes) };
      } catch (error) {
        signal.throwIfAborted();
        return { failure: error instanceof AppError ? reasonOf(error) : failureReason(error) };
      } finally {
        deadline.close();
      }
    },
    /** Closes all connections. Pending DNS lookups won't open new ones. */
    close: async () => {
      isClosed = true;
      await Promise.all([...opened].map((agent) => agent.close()));
    },
  };
}

const reasonOf = ({ code }: AppError) => (code === 'url_not_allowed' ? 'not_allowed' : 'dns');

/** Stops when the connection breaks or takes too long. */
async function readSome(body: Dispatcher.ResponseData['body'], most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), bodyMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= most) break;
    }
  } catch {
    // The body is optional, because the status code determines the outcome.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, most).toString('utf8');
}
