import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { makeMultipart } from '../../support/http/multipart.ts';

/** `from`: the loopback address of the client. All of 127.0.0.0/8 is local, so clients can have different addresses. */
export type Call = {
  url: string;
  path: string;
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: Buffer | string;
  from?: string;
  agent?: http.Agent;
  /** Disconnects when it aborts. */
  signal?: AbortSignal | undefined;
};
export type Reply = { status: number; headers: http.IncomingHttpHeaders; text: string };

const timeoutMs = 60_000;

/** Sends a request and returns the response. */
export function call({ url, path, body, from, signal, ...options }: Call): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const local = { ...(from !== undefined && { localAddress: from }), ...(signal && { signal }) };
    const request = http.request(new URL(path, url), { ...options, ...local, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.once('error', reject);
    request.once('timeout', () => request.destroy(new Error(`no response within ${timeoutMs} ms`)));
    request.end(body);
  });
}

/** Sends a JSON body. Other fields are those of `call`. */
export const callJson = ({ body, ...rest }: Omit<Call, 'body'> & { body: unknown }): Promise<Reply> =>
  call({
    method: 'POST',
    ...rest,
    headers: { ...rest.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Returns the headers and the body of an upload form that doesn't wait for the result. */
export function uploadForm(cookie: string, image: Buffer, fields: Record<string, string> = {}) {
  const { body, contentType } = makeMultipart([
    ...Object.entries({ engine: 'standard', ...fields }).map(([name, data]) => ({ name, data })),
    { name: 'image', filename: 'image', data: image },
  ]);
  return {
    path: '/api/images/process',
    method: 'POST',
    headers: { cookie, 'content-type': contentType, prefer: 'respond-async', 'content-length': body.length },
    body,
  };
}

/** Repeats `attempt` with several senders at once. Its parameter counts the attempts. Attempts may fail. */
export async function repeatFor(
  { seconds, senders }: { seconds: number; senders: number },
  attempt: (at: number) => Promise<void>,
): Promise<number> {
  const end = performance.now() + 1_000 * seconds;
  let count = 0;
  let errors = 0;
  const repeat = async () => {
    while (performance.now() < end) {
      count += 1;
      await attempt(count).catch(() => {
        errors += 1;
      });
      // An attempt that fails at once must not keep the process busy.
      await delay(1);
    }
  };
  await Promise.all(Array.from({ length: senders }, repeat));
  return errors;
}

/** Returns the n-th address of a block of 250 loopback addresses. */
export const addressOf = (block: number, at: number): string => `127.0.${block}.${1 + (at % 250)}`;

/** Returns an address of the n-th of 250 loopback networks (/24) of a block, which is not below 1. */
export const networkAddressOf = (block: number, at: number): string => `127.${block}.${at % 250}.1`;
