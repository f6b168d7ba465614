import { modelsDirOfEnvironment } from './config.ts';
import { isModelId, models } from './manifest.ts';
import { progressPrinter } from './progress-printer.ts';
import { pullModel } from './pull-model.ts';

const usage = `Usage: npm run models:pull [id...]   (default: photo-fast)
Ids: ${Object.keys(models).join(', ')}
Folder: MODELS_DIR, else DATA_DIR/models, else .data/models
`;

/** Pulls models. Returns the exit code: 1 if a pull failed, 2 for an unknown ID, 130 if interrupted. */
async function main(args: string[]): Promise<number> {
  const ids = args.length > 0 ? args : ['photo-fast'];
  const known = ids.filter(isModelId);
  if (known.length < ids.length) {
    process.stderr.write(usage);
    return 2;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());
  const modelsDir = modelsDirOfEnvironment();
  try {
    for (const id of known) {
      const onProgress = progressPrinter(id, process.stdout);
      const path = await pullModel({ modelsDir, id, onProgress, signal: interrupted.signal });
      process.stdout.write(`${id}: ${path}\n`);
    }
    return 0;
  } catch (error) {
    // On a terminal, start a new line, because the progress bar doesn't end with one.
    process.stderr.write(
      `${process.stdout.isTTY ? '\n' : ''}${error instanceof Error ? error.message : String(error)}\n`,
    );
    return interrupted.signal.aborted ? 130 : 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
