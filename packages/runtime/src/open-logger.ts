import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on standard output. What could be a secret is cut out by name, wherever an object carries it. */
export function openLogger({ service, level }: { service: string; level: string }): Logger {
  const secrets = ['password', 'token', 'key', 'secret', 'authorization', 'cookie', 'email', 'sig'];
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `req.headers.${name}`]), censor: '[cut]' },
  });
}
