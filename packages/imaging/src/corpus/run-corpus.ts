import { availableParallelism } from 'node:os';
import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/engines';
import { limits } from '@uprez/contracts/policy/limits';
import type { FileReport } from './file-report.ts';
import { type KeptChild, keepChild } from './keep-child.ts';
import type { CorpusJob } from './read-corpus-arguments.ts';
import { runFile } from './run-file.ts';

export type CorpusRun = CorpusJob & {
  files: readonly string[];
  modelsDir: string;
  signal: AbortSignal;
  onReport: (report: FileReport) => void;
};

/**
 * Run files one after another through one warm child of each kind; a child that dies is replaced. Throws AppError
 * `engine_unavailable` when the weights are missing, `cancelled` on the signal.
 */
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
    if (isAiEngine(wanted)) await expectEngine(engine, wanted);
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

async function expectEngine(engine: KeptChild, name: string): Promise<void> {
  const { ready } = await engine.get();
  if (!(ready.engines as readonly string[]).includes(name)) throw new AppError('engine_unavailable');
}
