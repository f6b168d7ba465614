import { prettyFactory } from 'pino-pretty';

/** Returns a function that formats a line of a process for the terminal. Lines that aren't JSON stay as they are. */
export function makeLogFormatter(colorize: boolean): (name: string, line: string) => string {
  const format = prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,service',
    singleLine: true,
  });
  return (name, line) => `${name.padEnd(10)} | ${line.startsWith('{') ? format(line).trimEnd() : line}`;
}
