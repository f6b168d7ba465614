import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attributes = { key: string; value: Value }[];
type RawSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attributes;
  status: { code?: number };
};
type Batch = {
  resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: RawSpan[] }[] }[];
};

export type CollectedSpan = {
  service: string;
  traceId: string;
  id: string;
  parentId: string | undefined;
  name: string;
  startMs: number;
  endMs: number;
  isError: boolean;
  facts: Record<string, string | number | undefined>;
};

const readFacts = (attributes: Attributes): CollectedSpan['facts'] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  );

const toMs = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

function readSpans({ resourceSpans }: Batch): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(readFacts(resource.attributes)['service.name']),
        traceId: span.traceId,
        id: span.spanId,
        parentId: span.parentSpanId || undefined,
        name: span.name,
        startMs: toMs(span.startTimeUnixNano),
        endMs: toMs(span.endTimeUnixNano),
        isError: span.status.code === 2,
        facts: readFacts(span.attributes),
      })),
    ),
  );
}

/** Opens a collector of OTLP over HTTP with JSON bodies. */
export async function openCollector() {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    void text(request).then((body) => {
      if (request.url !== '/v1/traces') return response.writeHead(404).end();
      bodies.push(body);
      headers.push(request.headers);
      spans.push(...readSpans(JSON.parse(body) as Batch));
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All spans so far. */
    spans,
    /** What was received, as text. */
    bodies,
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
