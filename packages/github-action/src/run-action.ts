import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { ActionError } from './action-error.ts';
import { type Inputs, type Runner, readInputs, readRunner } from './config.ts';
import { findSelected } from './find-selected.ts';
import { makeSummary } from './make-summary.ts';
import { type Outcome, type Row, runImages } from './run-images.ts';

type Log = (text: string) => void;
/** `problem`: why the step fails. */
type Done = Outcome & { problem: string | undefined };

/** Runs the step. Returns whether it succeeded. Throws ActionError. */
export async function runAction(log: Log): Promise<boolean> {
  const [inputs, runner] = [readInputs(), readRunner()];
  log(`::add-mask::${inputs.apiKey}`);
  process.chdir(runner.workspace);
  const files = await findSelected({ ...inputs, eventFile: runner.eventFile });
  const done = files.length === 0 ? { rows: [], problem: undefined } : await work(files, inputs, runner);
  for (const row of done.rows) report(row, log);
  log(`${done.rows.length} images, ${sumUnits(done.rows)} credits`);
  if (done.problem) log(`::error::${escapeData(done.problem)}`);
  await appendTo(runner.summaryFile, makeSummary({ ...done, ...inputs }));
  await appendTo(runner.outputFile, formatOutputs(done.rows));
  return done.problem === undefined;
}

const sumUnits = (rows: readonly Row[]) => rows.reduce((sum, { units }) => sum + units, 0);

async function work(files: readonly string[], inputs: Inputs, runner: Runner): Promise<Done> {
  const { mode, maxUnits } = inputs;
  const isLimited = mode === 'check' || maxUnits !== undefined;
  const estimate = isLimited ? await runImages(files, { inputs, runner, isDryRun: true }) : undefined;
  if (estimate) {
    const units = sumUnits(estimate.rows);
    if (maxUnits !== undefined && units > maxUnits) {
      const problem = `The images would cost ${units} credits. The limit is ${maxUnits}. Nothing was processed.`;
      return { ...withoutOutputs(estimate), problem };
    }
    if (mode === 'check') return withProblem(estimate);
  }
  return withProblem(await runImages(files, { inputs, runner, isDryRun: false }));
}

/** Estimates have no results. */
const withoutOutputs = (outcome: Outcome): Outcome => ({
  ...outcome,
  rows: outcome.rows.map(({ output: _, ...row }) => row),
});

function withProblem(outcome: Outcome): Done {
  const failed = outcome.rows.filter(({ reason }) => reason).length;
  const problem = outcome.stopped ?? (failed > 0 ? `${failed} of ${outcome.rows.length} images failed.` : undefined);
  return { ...outcome, problem };
}

/** Lines start with a mark, so a file name is never read as a command of the runner, except for `##[` (see `escapeData`). */
function report({ source, output, reason }: Row, log: Log): void {
  if (reason) log(`::error file=${escapeProperty(source)}::${escapeData(reason)}`);
  else log(`- ${escapeData(output ? `${source} -> ${output}` : source)}`);
}

/** Escapes text for commands of the runner, and the form of commands that it finds anywhere in a line. */
const escapeData = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('##[', '## [');
const escapeProperty = (text: string) => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const appendTo = async (file: string | undefined, text: string) => {
  if (file) await appendFile(file, text);
};

function formatOutputs(rows: readonly Row[]): string {
  const outputs = {
    images: String(rows.length),
    units: String(sumUnits(rows)),
    failed: String(rows.filter(({ reason }) => reason).length),
    results: JSON.stringify(rows.flatMap(({ output }) => output ?? [])),
  };
  // A random delimiter keeps values from adding outputs.
  const end = randomUUID();
  return Object.entries(outputs)
    .map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`)
    .join('');
}

/** Formats an error that ends the step. */
export const formatError = (error: unknown): string =>
  `::error::${escapeData(error instanceof ActionError ? error.message : String((error as Error)?.stack ?? error))}`;
