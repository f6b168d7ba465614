import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * `hang`: no response until the failure ends, as from a stopped process. `slow`: a response after 5 s. `unavailable`:
 * status 503. `denied`: status 403. `cut`: the connection breaks within the body. `reset`: the connection breaks before
 * a response.
 */
export type S3Failure = 'hang' | 'slow' | 'unavailable' | 'denied' | 'cut' | 'reset';

const slowMs = 5_000;

/** Creates the failure injector for an S3 server. At first, no requests fail. */
export function openFailureInjector() {
  let failureOf: (request: string) => S3Failure | undefined = () => undefined;
  const held: (() => void)[] = [];
  return {
    /** Makes later requests that match `applies` (default: all) fail. `undefined` ends the failures. */
    setFailure: (failure: S3Failure | undefined, applies: (request: string) => boolean = () => true) => {
      failureOf = (request) => (applies(request) ? failure : undefined);
      for (const resume of held.splice(0)) resume();
    },
    /** Sets a function that chooses the failure for each later request. */
    setFailures: (choose: (request: string) => S3Failure | undefined) => {
      failureOf = choose;
    },
    /**
     * Applies the failure that was chosen for a request. Returns whether the request needs no further handling, because
     * it failed or its client disconnected.
     */
    fail: async (line: string, exchange: Exchange): Promise<boolean> => {
      const failure = failureOf(line);
      if (failure === 'slow') await delay(slowMs);
      else if (failure === 'hang') await new Promise<void>((resolve) => held.push(resolve));
      else if (failure) misbehave(failure, exchange);
      const isServed = failure === undefined || failure === 'slow' || failure === 'hang';
      return !isServed || exchange.request.socket.destroyed;
    },
  };
}

type Exchange = { request: IncomingMessage; response: ServerResponse; handle: RequestListener };

const rejections: Partial<Record<S3Failure, [number, string]>> = {
  unavailable: [503, 'ServiceUnavailable'],
  denied: [403, 'AccessDenied'],
};

function misbehave(failure: S3Failure, { request, response, handle }: Exchange): void {
  if (failure === 'reset') request.socket.destroy();
  const rejection = rejections[failure];
  if (rejection) {
    request.resume();
    response
      .writeHead(rejection[0], { 'content-type': 'application/xml' })
      .end(`<Error><Code>${rejection[1]}</Code></Error>`);
  }
  if (failure !== 'cut') return;
  if (request.method === 'PUT') {
    request.once('data', () => request.socket.destroy());
    return;
  }
  response.write = (chunk: Buffer) => {
    response.flushHeaders();
    response.socket?.end(chunk.subarray(0, chunk.length / 2)); // past the response, which would count the bytes
    return false;
  };
  handle(request, response);
}
