import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/engines';
import { limits } from '@uprez/contracts/policy/limits';
import { keepChild } from './keep-child.ts';
import type { FileReport } from './print-reports.ts';
import type { CorpusJob } from './read-corpus-arguments.ts';
import { runFile } from './run-file.ts';

type CorpusRun = CorpusJob & {
  files: readonly string[];
  modelsDir: string;
  signal: AbortSignal;
  onReport: (report: FileReport) => void;
};

/** List the files of a folder and its subfolders as relative paths, sorted. Links are not followed. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Run files one by one. Throws AppError `engine_unavailable` when the model is missing, or `cancelled`. */
export async function runCorpus(run: CorpusRun): Promise<FileReport[]> {
  const { recipe, modelsDir, signal } = run;
  const wanted = recipe.engine === 'auto' ? 'photo-fast' : recipe.engine;
  const inspector = keepChild({ name: 'inspect/child', options: {}, memoryBytes: limits.inspectionMemoryBytes });
  const engine = keepChild({
    name: 'engine/child',
    options: { engines: ['standard', wanted], modelsDir, threads: availableParallelism() },
    memoryBytes: limits.childMemoryBytes,
  });
  const close = () => Promise.all([inspector.close(), engine.close()]);
  const stop = () => void close();
  signal.addEventListener('abort', stop);
  try {
    if (isAiEngine(wanted) && !(await engine.get()).ready.engines.includes(wanted))
      throw new AppError('engine_unavailable');
    const reports: FileReport[] = [];
    for (const file of run.files) {
      const report = await runFile({ ...run, inspector, engine }, file);
      if (signal.aborted) throw new AppError('cancelled');
      reports.push(report);
      run.onReport(report);
    }
    return reports;
  } finally {
    signal.removeEventListener('abort', stop);
    await close();
  }
}
