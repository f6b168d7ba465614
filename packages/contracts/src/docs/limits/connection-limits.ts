import { articleLimits } from '../../policy/articles.ts';
import { limits } from '../../policy/limits.ts';
import { formatBytes, formatCount } from '../../texts/format.ts';
import { type LimitRows, response } from './limit-row.ts';

const closes = 'When connections close';
const busy = `Waits up to ${limits.bodyWaitSeconds} s, then ${response('server_busy')} with \`Retry-After\``;
const nextRequest = 'With the next request';

/** Limits of connections, bodies, and event streams. */
export const connectionLimits = {
  connections: {
    what: 'Open connections of a gateway',
    limit: '`MAX_CONNECTIONS`',
    met: 'Closed without a response',
    recovers: closes,
  },
  address_connections: {
    what: 'Open connections of an IP address',
    limit: '`MAX_CONNECTIONS_PER_ADDRESS`, unless `TRUST_PROXY` is set',
    met: 'Closed without a response',
    recovers: closes,
  },
  pipelined_requests: {
    what: 'Requests of a connection that wait for an earlier response (pipelining)',
    limit: `${limits.pipelinedRequests}; they are handled one at a time`,
    met: 'The connection is closed',
    recovers: 'With a new connection',
  },
  header_time: {
    what: 'Time to send the headers of a request',
    limit: `${limits.headerSeconds} s`,
    met: `${response('malformed_body', 408)}, closed`,
    recovers: 'With a new connection',
  },
  header_size: {
    what: 'Size of the headers',
    limit: formatBytes(limits.headerBytes),
    met: `${response('headers_too_large')}, closed`,
    recovers: nextRequest,
  },
  body_pace: {
    what: 'Pace of a body',
    limit: `${formatCount(limits.bodyBytesPerSecond)} bytes per second, measured over ${limits.bodyPaceSeconds} s`,
    met: `Uploads: ${response('malformed_multipart')}. Other bodies: closed`,
    recovers: nextRequest,
  },
  unread_body: {
    what: 'A body that is not read to its end, because the response is known or the endpoint has no body',
    limit: 'Not received after the response',
    met: `The response is sent, and the connection is closed within ${limits.unreadBodySeconds} s`,
    recovers: 'With a new connection',
  },
  json_size: {
    what: 'Size of a JSON body',
    limit: [
      formatBytes(limits.bodyBytes),
      `${formatBytes(limits.jsonImageBytes)} with a base64 image`,
      `${formatBytes(limits.batchBodyBytes)} for a new batch`,
      `${formatBytes(limits.stripeEventBytes)} for a Stripe event`,
      `${formatBytes(articleLimits.bodyBytes)} for the text of an article`,
    ].join('; '),
    met: `${response('malformed_body')}; with an image, for a batch of \`/v1\`, or for a Stripe event: ${response('file_too_large')}`,
    recovers: nextRequest,
  },
  json_values: {
    what: 'Values in a JSON body of `/v1` with an image or for a new batch',
    limit: formatCount(limits.jsonValues),
    met: response('malformed_body'),
    recovers: nextRequest,
  },
  body_memory: {
    what: 'Bodies in the memory of a gateway: images of MCP, attachments, Stripe events, and JSON above the usual size',
    limit: `\`BODY_MEMORY_MB\`; 1/${limits.accountBodyShares} of it per account, 1/${limits.addressBodyShares} per IP address`,
    met: busy,
    recovers: 'When other bodies are answered',
  },
  body_spool: {
    what: 'Bodies in temporary files of a gateway: images of MCP',
    limit: `\`SPOOL_MB\`; 1/${limits.accountBodyShares} of it per account, 1/${limits.addressBodyShares} per IP address`,
    met: `${busy}, before the body is read`,
    recovers: 'When other bodies are answered',
  },
  address_uploads: {
    what: 'Unfinished uploads from an IP address',
    limit: `${formatBytes(limits.addressUploadBytes)} per gateway`,
    met: `${busy}, before the body is read`,
    recovers: 'When one of them ends',
  },
  mcp_messages: {
    what: 'Messages in one request to `/mcp`',
    limit: String(limits.mcpMessages),
    met: '400 with the JSON-RPC error -32600',
    recovers: nextRequest,
  },
  form_parts: {
    what: 'Parts of a form',
    limit: `${limits.formFields} text fields of 4 KB; 1 file, or ${limits.batchItems} for a batch`,
    met: `${response('malformed_multipart')}; long field: ${response('invalid_parameter')}`,
    recovers: nextRequest,
  },
  account_streams: {
    what: 'Event streams of an account',
    limit: `${limits.accountStreams} per gateway`,
    met: `${response('rate_limited')}, \`Retry-After: ${limits.streamRetrySeconds}\``,
    recovers: 'When a stream closes',
  },
  address_streams: {
    what: 'Event streams of an IP address',
    limit: `${limits.addressStreams} per gateway`,
    met: `${response('rate_limited')}, \`Retry-After: ${limits.streamRetrySeconds}\``,
    recovers: 'When a stream closes',
  },
} as const satisfies LimitRows;
