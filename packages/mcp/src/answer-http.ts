import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { UprezOptions } from '@uprez/sdk-node';
import type { Host } from './host.ts';
import { makeServer } from './make-server.ts';

type HttpMessage = Pick<Host, 'openImage'> & {
  client: UprezOptions;
  /** Headers of the POST request. */
  headers: Record<string, string>;
  /** Parsed JSON body of the request. */
  body: unknown;
  /** Aborted when the response is sent, or the client disconnects. */
  signal: AbortSignal;
};

/**
 * Answers a POST request of the streamable HTTP transport. No state is kept, so any process may answer the next
 * request. A job continues if its client disconnects or cancels, because the cancellation is another request.
 */
export async function answerHttp({ client, headers, body, signal, openImage }: HttpMessage): Promise<Response> {
  const server = makeServer(() => ({ client, cancelsJobs: false, ...(openImage && { openImage }) }));
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  signal.addEventListener('abort', () => void server.close(), { once: true });
  const request = new Request('http://localhost/mcp', { method: 'POST', headers });
  return transport.handleRequest(request, { parsedBody: body });
}
