import { type DestinationStream, type Logger, pino } from 'pino';
import { cutSecrets } from './cut-secrets.ts';

export type { Logger } from 'pino';

export type LoggerOptions = {
  service: string;
  level: string;
  /** Standard output when absent. */
  destination?: DestinationStream;
};

/** JSON lines. What could be a secret or an address is cut out by name, wherever an object carries it. */
export function openLogger({ service, level, destination = pino.destination(1) }: LoggerOptions): Logger {
  const formatters = { log: (facts: object) => cutSecrets(facts) as Record<string, unknown> };
  return pino({ level, base: { service }, timestamp: pino.stdTimeFunctions.isoTime, formatters }, destination);
}
