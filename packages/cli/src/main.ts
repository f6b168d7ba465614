import { readEnvironment } from './config.ts';
import { runCli } from './run-cli.ts';

// Exits quietly if the reader of a pipe, such as `head`, closes it early.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());

process.exitCode = await runCli(process.argv.slice(2), {
  env: readEnvironment(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  terminal: process.stderr.isTTY ? process.stderr : undefined,
  input: process.stdin,
  signal: interrupt.signal,
});
