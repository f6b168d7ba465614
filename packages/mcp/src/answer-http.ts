import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { UprezOptions } from '@uprez/sdk-node';
import type { Host } from './host.ts';
import { makeServer } from './make-server.ts';

type HttpMessage = Pick<Host, 'openImage'> & {
  client: UprezOptions;
  headers: Record<string, string>;
  /** Parsed JSON body of the request. */
  body: unknown;
  /** Aborted when the response is sent, or the client disconnects. */
  signal: AbortSignal;
};

/**
 * Responds to a POST request for the streamable HTTP transport. Keeps no state, so any process can handle the next
 * request. A job continues if the client disconnects or cancels, because the cancellation arrives as a separate
 * request.
 */
export async function answerHttp({ client, headers, body, signal, openImage }: HttpMessage): Promise<Response> {
  const server = makeServer(() => ({ client, cancelsJobs: false, ...(openImage && { openImage }) }));
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  signal.addEventListener('abort', () => void server.close(), { once: true });
  const request = new Request('http://localhost/mcp', { method: 'POST', headers });
  return transport.handleRequest(request, { parsedBody: body });
}
