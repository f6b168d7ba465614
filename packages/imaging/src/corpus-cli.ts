import { writeFile } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import { modelsDirOfEnvironment } from '@uprez/models/config';
import { formatReports, formatSummary, summarize } from './corpus/format-reports.ts';
import { corpusUsage, readCorpusArguments } from './corpus/read-corpus-arguments.ts';
import { listFiles, runCorpus } from './corpus/run-corpus.ts';

const exitCodes = { ok: 0, crashed: 1, notRun: 2, interrupted: 130 };
const clearLine = '\r\x1b[K';

/** Returns the exit code: 1 if a file crashed, 2 if the corpus run failed. */
async function main(args: string[]): Promise<number> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
  const show = (text: string) => process.stderr.isTTY && process.stderr.write(clearLine + text);
  try {
    const job = readCorpusArguments(args);
    if (!job) {
      process.stdout.write(corpusUsage);
      return exitCodes.ok;
    }
    const files = await listFiles(job.folder).catch((cause) => {
      throw new AppError('invalid_parameter', { detail: `Couldn't read the folder "${job.folder}".`, cause });
    });
    if (files.length === 0) throw new AppError('invalid_parameter', { detail: `The folder "${job.folder}" is empty.` });
    let done = 0;
    const onReport = () => show(`${++done} of ${files.length}`);
    const run = { ...job, files, modelsDir: modelsDirOfEnvironment(), signal: interrupt.signal, onReport };
    const reports = await runCorpus(run);
    show('');
    // A run can process thousands of damaged copies, so only the crashed ones are listed.
    const listed = job.damage ? reports.filter(({ verdict }) => verdict === 'crashed') : reports;
    process.stdout.write(`${formatReports(listed)}\n\n${formatSummary(reports)}\n`);
    const summary = summarize(reports);
    if (job.out) await writeFile(job.out, `${JSON.stringify({ ...job, summary, reports }, null, 2)}\n`);
    return summary.verdicts.crashed > 0 ? exitCodes.crashed : exitCodes.ok;
  } catch (error) {
    show('');
    if (interrupt.signal.aborted) return exitCodes.interrupted;
    process.stderr.write(`${error instanceof AppError ? error.message : (error as Error).stack}\n`);
    return exitCodes.notRun;
  }
}

process.exitCode = await main(process.argv.slice(2));
