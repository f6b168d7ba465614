import { currentSpan } from '@uprez/tracing/spans';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

type LoggerOptions = { service: string; level: string; destination?: DestinationStream };

/**
 * Opens a logger that writes JSON lines. Fields that could contain a secret, an email address, or an IP address are
 * redacted by name, at any depth.
 */
export function openLogger({ service, level, destination = pino.destination(1) }: LoggerOptions): Logger {
  const formatters = { log: (facts: object) => cutSecrets(facts) as Record<string, unknown> };
  const options = { level, base: { service }, timestamp: pino.stdTimeFunctions.isoTime, formatters, mixin: traceFacts };
  return pino(options, destination);
}

function traceFacts(): { traceId?: string } {
  const span = currentSpan();
  return span?.isSampled ? { traceId: span.traceId } : {};
}

const secret =
  /password|secret|token|authorization|cookie|email|signature|idempotency.?key|forwarded|client.?ip|real.?ip|connecting.?ip|remote.?address|raw.?packet|referer|^(key|sig|file.?name)$/i;
/** Fields of PostgreSQL errors that quote the values of a row or a statement. */
const quotesValues = /^(detail|where|internalQuery)$/i;
const maxDepth = 6;
const cut = '[cut]';
/** Longer strings and lists are truncated, which keeps a single request from filling the log. */
const longestText = 8_192;
const longestList = 100;

/** Returns a copy of a value without secrets and personal data. Recognizes both by field name. */
function cutSecrets(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return cut;
  if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}${cut}`;
  if (Array.isArray(value)) return value.slice(0, longestList).map((item) => cutSecrets(item, depth + 1));
  if (value instanceof Error) return cutFields({ ...stdSerializers.err(value) }, depth, quotesValues);
  return isPlain(value) ? cutFields(value, depth) : value;
}

function cutFields(fields: object, depth: number, more?: RegExp): object {
  const kept = Object.entries(fields)
    .slice(0, longestList)
    .map(([name, field]) => {
      const isCut = secret.test(name) || more?.test(name);
      return [name, isCut ? cut : cutSecrets(field, depth + 1)];
    });
  return Object.fromEntries(kept);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
