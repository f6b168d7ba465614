import { AppError } from '@uprez/contracts/errors/app-error';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { makeFilePipeline, processFile } from './cli/process-file.ts';
import { formatUsage, readArguments } from './cli/read-arguments.ts';

const exitCodes = { ok: 0, failed: 1, weightsMissing: 2, interrupted: 130 };
const showProgress = (share: number) => process.stderr.write(`\r${Math.floor(share * 100)}%`);
const clearLine = () => process.stderr.write('\r\x1b[K');

/** Processes one file. Returns the exit code: 1 for an error, 2 if the engine's model is missing. */
async function main(args: string[]): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
  const isTerminal = process.stderr.isTTY;
  let engine = '';
  try {
    const job = readArguments(args);
    if (!job) {
      process.stdout.write(formatUsage());
      return exitCodes.ok;
    }
    const modelsDir = modelsDirOfEnvironment();
    const input = await makeFilePipeline({ ...job, modelsDir });
    engine = input.pipeline.engine;
    const onProgress = isTerminal ? showProgress : () => undefined;
    const run = { ...job, modelsDir, signal: interrupt.signal, onProgress };
    const line = await processFile(run, input);
    if (isTerminal) clearLine();
    process.stdout.write(`${line}\n`);
    return exitCodes.ok;
  } catch (error) {
    if (isTerminal) clearLine();
    if (interrupt.signal.aborted) return exitCodes.interrupted;
    if (error instanceof AppError && error.code === 'engine_unavailable') {
      // A custom model is looked up before the pipeline is known, and its error says what to do.
      if (engine === '') process.stderr.write(`${error.message}\n`);
      else process.stderr.write(`The model for ${engine} isn't installed. Run: npm run models:pull ${engine}\n`);
      return exitCodes.weightsMissing;
    }
    process.stderr.write(`${describe(error)}\n`);
    return exitCodes.failed;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const log = error instanceof AppError && error.code === 'processing_crashed' ? `\n${String(error.cause ?? '')}` : '';
  return error.message + log;
}

process.exitCode = await main(process.argv.slice(2));
