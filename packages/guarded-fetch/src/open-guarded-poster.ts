import { AppError } from '@uprez/contracts/errors/app-error';
import { type Dispatcher, request } from 'undici';
import { checkUrl, type Target } from './check-url.ts';
import { type FailureReason, failureReason } from './describe-failure.ts';
import type { FetchNetwork } from './fetch-guarded.ts';
import { findAddresses } from './find-addresses.ts';
import { openDeadline, untilAborted } from './open-deadline.ts';
import { openPinnedAgent, type PinnedAgent } from './open-pinned-agent.ts';

/** `allowsLoopback`: the URL may be one of this machine. */
export type Posting = {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  allowsLoopback?: boolean;
};
/** Any status, a redirect too, with the beginning of the body as text. Or why there was no answer. */
export type Posted = { status: number; body: string } | { failure: FailureReason | 'not_allowed' };
export type GuardedPoster = ReturnType<typeof openGuardedPoster>;
export type PosterOptions = {
  /** For one call: name, connecting, sending, and the answer. */
  timeoutMs: number;
  /** So much of an answer is read. */
  answerBytes: number;
  /** Connections to one server at once. */
  connections: number;
  network?: FetchNetwork | undefined;
};

/** Whoever has answered is not waited for any longer than this for the rest. */
const bodyMs = 2_000;
/** Of one connection, which serves many calls. */
const receivedBytes = 16 * 1024 * 1024;

/**
 * POST to untrusted URLs under the rules of `fetchGuarded`; redirects are returned, not followed. Connections are kept,
 * so use it briefly. Throws only the reason of a call's signal.
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
    /** Ends all connections. Host names that are still looked up get none. */
    close: async () => {
      isClosed = true;
      await Promise.all([...opened].map((agent) => agent.close()));
    },
  };
}

const reasonOf = ({ code }: AppError) => (code === 'url_not_allowed' ? 'not_allowed' : 'dns');

/** The beginning of a body; what breaks or dawdles ends there. */
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
    // The status has said what became of the call.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, most).toString('utf8');
}
