import http from 'node:http';
import { cpuTimeMs } from '@uprez/runtime/open-pixel-child';
import type { Answered } from '../check-answer.ts';
import type { FuzzRequest } from './requests.ts';

const agent = new http.Agent({ keepAlive: true });

/** Sends a request with its URL unchanged. Returns the response with its CPU time, if any. */
export function send(
  base: string,
  { url, method, headers, body }: FuzzRequest,
): Promise<(Answered & { cpuMs: number }) | undefined> {
  const { hostname, port } = new URL(base);
  const start = cpuTimeMs();
  return new Promise((resolve) => {
    const request = http.request({ hostname, port, path: url, method, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(undefined));
      response.on('end', () => {
        const pairs = Object.entries(response.headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((one): [string, string] => [name, one]),
        );
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(pairs),
          body: Buffer.concat(chunks).toString(),
          cpuMs: cpuTimeMs() - start,
        });
      });
    });
    request.on('error', () => resolve(undefined));
    if (body) request.setHeader('content-length', body.length);
    request.end(body);
  });
}
