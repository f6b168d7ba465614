import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFile, readFile, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isImage } from '@uprez/cli/find-images';
import { runCli } from '@uprez/cli/run-cli';
import { ActionError, type Inputs, type Runner, readInputs, readRunner } from './config.ts';

type Log = (text: string) => void;
type Done = Outcome & { problem: string | undefined };

/** Runs the step. Returns whether it succeeded. Throws ActionError if it couldn't run. */
export async function runAction(log: Log): Promise<boolean> {
  const [inputs, runner] = [readInputs(), readRunner()];
  log(`::add-mask::${inputs.apiKey}`);
  process.chdir(runner.workspace);
  const files = await findSelected({ ...inputs, eventFile: runner.eventFile });
  const done = files.length === 0 ? { rows: [], problem: undefined } : await processFiles(files, inputs, runner);
  for (const row of done.rows) logRow(row, log);
  log(`${done.rows.length} images, ${sumUnits(done.rows)} credits`);
  if (done.problem) log(`::error::${escapeData(done.problem)}`);
  await appendTo(runner.summaryFile, makeSummary({ ...done, ...inputs }));
  await appendTo(runner.outputFile, formatOutputs(done.rows));
  return done.problem === undefined;
}

const sumUnits = (rows: readonly Row[]) => rows.reduce((sum, { units }) => sum + units, 0);

async function processFiles(files: readonly string[], inputs: Inputs, runner: Runner): Promise<Done> {
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

/** Removes the output paths, because estimates create no results. */
const withoutOutputs = (outcome: Outcome): Outcome => ({
  ...outcome,
  rows: outcome.rows.map(({ output: _, ...row }) => row),
});

function withProblem(outcome: Outcome): Done {
  const failed = outcome.rows.filter(({ reason }) => reason).length;
  const problem = outcome.stopped ?? (failed > 0 ? `${failed} of ${outcome.rows.length} images failed.` : undefined);
  return { ...outcome, problem };
}

/** The prefix keeps the runner from interpreting a file name as a workflow command. */
function logRow({ source, output, reason }: Row, log: Log): void {
  if (reason) log(`::error file=${escapeProperty(source)}::${escapeData(reason)}`);
  else log(`- ${escapeData(output ? `${source} -> ${output}` : source)}`);
}

/** Escapes text for workflow commands, including `##[` commands, which the runner recognizes anywhere in a line. */
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
  // The delimiter is random, because a file name that contains it could inject outputs.
  const end = randomUUID();
  return Object.entries(outputs)
    .map(([name, value]) => `${name}<<${end}\n${value}\n${end}\n`)
    .join('');
}

export const formatError = (error: unknown): string =>
  `::error::${escapeData(error instanceof ActionError ? error.message : String((error as Error)?.stack ?? error))}`;

type Facts = Outcome & { mode: 'process' | 'check'; maxUnits: number | undefined; problem: string | undefined };

/** Maximum number of images in the job summary. GitHub limits the summary to 1 MiB. */
const maxSummaryRows = 500;
const count = (n: number) => n.toLocaleString('en-US');
const credits = (n: number) => `${count(n)} credit${n === 1 ? '' : 's'}`;
const size = ({ width, height }: { width?: number; height?: number }) =>
  width && height ? `${count(width)} x ${count(height)}` : '-';
const escapeMarkdown = (text: string) =>
  text.replace(/[\\`*_{}[\]<>()#|~!&$@:]/g, (char) => `&#${char.charCodeAt(0)};`).replace(/\s/g, ' ');
const kilobytes = (bytes: number | null | undefined) => (bytes ? `${count(Math.ceil(bytes / 1_024))} KB` : '-');

function makeSummary({ rows, mode, maxUnits, stopped, problem }: Facts): string {
  const title = mode === 'check' ? '## Images to upscale' : '## Upscaled images';
  if (rows.length === 0) return `${title}\n\n${problem ? escapeMarkdown(problem) : 'No images changed.'}\n`;
  const shown = rows.slice(0, maxSummaryRows);
  const units = rows.reduce((sum, row) => sum + row.units, 0);
  const failed = rows.filter(({ reason }) => reason).length;
  const limitText = maxUnits === undefined ? '' : ` Limit: ${credits(maxUnits)}.`;
  const verb = mode === 'check' ? 'would cost' : 'charged';
  const total = `**${count(rows.length)} images, ${credits(units)} ${verb}.**${limitText}`;
  const table = [
    '| Image | Size | Result | File size | Credits | |',
    '|---|--:|--:|--:|--:|---|',
    ...shown.map(formatRow),
  ];
  const more = rows.length > shown.length ? `\n…and ${count(rows.length - shown.length)} more.\n` : '';
  const errors = [problem ?? stopped, failed > 0 && `${count(failed)} of the images failed or would be rejected.`];
  const list = errors
    .filter((text) => text !== undefined && text !== false)
    .map((text) => `- :x: ${escapeMarkdown(String(text))}`);
  return [title, '', total, '', ...table, more, ...list, ''].join('\n');
}

const formatRow = ({ source, output, reason, units, bytes, ...result }: Row) =>
  `| ${[
    escapeMarkdown(source),
    result.size ? size(result.size) : '-',
    size(result),
    kilobytes(bytes),
    count(units),
    escapeMarkdown(reason ?? output ?? ''),
  ].join(' | ')} |`;

const run = promisify(execFile);
// Git rejects a repository that another user owns, and containers often run as a different user. `safe.directory` turns
// this check off.
const git = async (...args: string[]) =>
  (await run('git', ['-c', 'safe.directory=*', ...args], { maxBuffer: 256 * 1024 * 1024 })).stdout;
const succeeds = (...args: string[]) =>
  git(...args).then(
    () => true,
    () => false,
  );

type Selection = { patterns: readonly string[]; isChangedOnly: boolean; out: string; eventFile: string | undefined };

/** Results of earlier runs are excluded. */
async function findSelected({ patterns, isChangedOnly, out, eventFile }: Selection): Promise<string[]> {
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const included = patterns.filter((pattern) => !pattern.startsWith('!'));
  const folder = out.replace(/^\.\//, '').replace(/\/+$/, '');
  const paths = [
    ...(included.length > 0 ? included.map((pattern) => `:(glob)${pattern}`) : ['.']),
    ...[...excluded, ...(folder.includes(':') ? [] : [`${folder}/**`])].map((pattern) => `:(exclude,glob)${pattern}`),
  ];
  const list = isChangedOnly
    ? await git('diff', '--name-only', '-z', '--diff-filter=d', ...(await findRange(eventFile)), '--', ...paths)
    : await git('ls-files', '-z', '--', ...paths);
  return list.split('\0').filter(isImage);
}

type Event = { before?: string; pull_request?: { base?: { sha?: string } }; merge_group?: { base_sha?: string } };

/** Git's name of a commit without files. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * Returns the two commits to compare: the event's base and HEAD, or the last commit and its parent. Throws ActionError
 * if a commit isn't in the checkout.
 */
async function findRange(eventFile: string | undefined): Promise<string[]> {
  const event = (eventFile ? JSON.parse(await readFile(eventFile, 'utf8')) : {}) as Event;
  const base = event.pull_request?.base?.sha ?? event.merge_group?.base_sha ?? event.before;
  // For a new branch, the event's previous commit is all zeros.
  if (!base || /^0+$/.test(base)) return findParent();
  if (!/^[0-9a-f]{40,64}$/.test(base)) throw new ActionError('The event has no valid commit to compare with.');
  if (!(await succeeds('cat-file', '-e', `${base}^{commit}`)) && !(await fetchCommit(base)))
    throw new ActionError(`The commit ${base} isn't in this checkout. Set "fetch-depth: 0" of actions/checkout.`);
  // Excludes changes that were made on the base branch after the fork, if the checkout includes their common ancestor.
  return (await succeeds('merge-base', base, 'HEAD')) ? [`${base}...HEAD`] : [base, 'HEAD'];
}

const fetchCommit = (sha: string) => succeeds('fetch', '--no-tags', '--depth=1', 'origin', sha);

async function findParent(): Promise<string[]> {
  if (await succeeds('rev-parse', '--verify', 'HEAD^')) return ['HEAD^', 'HEAD'];
  if ((await git('rev-parse', '--is-shallow-repository')).trim() === 'true')
    throw new ActionError(
      'The parent of this commit isn\'t in this checkout. Set "fetch-depth: 2" of actions/checkout.',
    );
  return [emptyTree, 'HEAD'];
}

/**
 * An image and its outcome. `units` is its cost in credits. `reason` says why the image failed or would be rejected.
 */
type Row = {
  source: string;
  size?: { width: number; height: number };
  width?: number;
  height?: number;
  bytes?: number | null;
  units: number;
  output?: string;
  reason?: string;
};
type Line = Omit<Row, 'units'> & { event: string; units?: number; charged?: number; message?: string };

/** `stopped`: why not all images were processed. */
type Outcome = { rows: Row[]; stopped?: string };

type Call = { inputs: Inputs; runner: Runner; isDryRun: boolean };

/** Processes or estimates images by running the CLI in this process. Throws ActionError if no image could be tried. */
async function runImages(files: readonly string[], { inputs, runner, isDryRun }: Call): Promise<Outcome> {
  const { apiKey, baseUrl, out, flags, concurrency, isSandbox } = inputs;
  // Uses `--force`, because a changed image must replace its earlier result.
  const own = [
    '--json',
    '--base=.',
    `--out=${out}`,
    `--concurrency=${concurrency}`,
    isDryRun ? '--dry-run' : '--force',
  ];
  // File names come from the commit. The prefix keeps them from being parsed as flags.
  const named = files.map((file) => `./${file}`);
  const args = ['process', ...own, ...(isSandbox ? ['--sandbox'] : []), ...flags, '--', ...named];
  const root = await realpath('.');
  const written = { out: '', err: '' };
  const code = await runCli(args, {
    env: { apiKey, baseUrl, configFile: '', stateDir: join(runner.tempDir, 'uprez'), path: runner.path },
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    terminal: undefined,
    input: process.stdin,
    signal: new AbortController().signal,
  });
  const lines = written.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  const rows = lines.filter(({ source }) => source).map((line) => toRow(line, root));
  // Exit codes above 1 mean that not all images were tried.
  const stopped = code > 1 ? written.err.trim() : undefined;
  if (stopped && rows.length === 0) throw new ActionError(stopped);
  return { rows, ...(stopped && { stopped }) };
}

function toRow({ source, units, charged, message, reason = message, ...facts }: Line, root: string): Row {
  const { size, width, height, bytes, output } = facts;
  return {
    source: relative(root, source),
    ...{ ...(size && { size }), ...(width && { width }), ...(height && { height }), ...(bytes && { bytes }) },
    units: charged ?? units ?? 0,
    ...(output && { output }),
    ...(reason && { reason }),
  };
}
