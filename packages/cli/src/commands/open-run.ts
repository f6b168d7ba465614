import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, constants, rm, stat } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { ApiError, type Job, JobFailedError, type ProcessOptions, Uprez } from '@uprez/sdk-node';
import { fileExtensions } from '@uprez/sdk-node/facts';
import { formatPath, joinOutputPath } from '../buckets/s3-url.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import type { CliContext } from '../config.ts';
import { findCredentials } from '../credentials.ts';
import { readImageSize } from '../files/find-images.ts';
import { openOutput } from '../files/open-output.ts';
import { findResult, listPossibleExtensions, type Output, rejectExisting } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';
import { kebabCase } from '../flags.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import type {
  Outcome,
  ProcessItem,
  ProcessingInput,
  Reporter,
  RunItemsOptions,
  Summary,
} from '../processing/run-items.ts';
import { formatBytes, formatCount, formatCredits, formatSize } from '../report/format.ts';

type Engine = { client: Uprez } | { program: string };

/** Opens an API client with the user's API key. Throws CliError if no key is found. */
export async function openClient({ env }: CliContext, { url, sandbox }: Common) {
  const credentials = await findCredentials(env, url);
  return { client: new Uprez({ ...credentials, sandbox, maxRetries: 5 }), ...credentials };
}

/** Returns all settings that affect the results. They are part of each image's key. */
export const settingsOf = (options: RunOptions, target: object): object => ({
  fields: Object.fromEntries(Object.entries(options.fields).sort()),
  local: options.local,
  ...target,
});

/**
 * Opens the API client, or the local engine for `--local`. `settings` contains all settings that affect the results.
 * Throws CliError if the API key or the local engine is missing.
 */
export async function openEngine(
  context: CliContext,
  common: Common,
  options: RunOptions,
): Promise<{ engine: Engine; settings: object }> {
  if (options.local)
    return { engine: { program: await findLocalEngine(context.env.path) }, settings: settingsOf(options, {}) };
  const { client, baseUrl } = await openClient(context, common);
  return { engine: { client }, settings: settingsOf(options, { baseUrl, sandbox: common.sandbox }) };
}

export async function openRun(
  engine: Engine,
  { common, options, ...context }: CliContext & { common: Common; options: RunOptions },
): Promise<{ results: Output; runner: RunItemsOptions }> {
  const { signal, env } = context;
  const results = await openOutput(options.out, env.stateDir);
  const { fields, force, concurrency } = options;
  const extensions = listPossibleExtensions('program' in engine ? localFormatOf(fields) : fields.format);
  const processItem: ProcessItem = async (item, onProgress) => {
    const done = force
      ? undefined
      : ((await findResult(results, item)) ?? (await rejectExisting(results, item, extensions)));
    if (done) return done;
    const shared = { results, fields, force, signal };
    if ('program' in engine) return processLocally({ ...shared, ...engine }, item);
    return processWithApi({ ...shared, ...engine }, item, onProgress);
  };
  const reporter = chooseReporter(context, common, options.out);
  return { results, runner: { processItem, reporter, concurrency, signal } };
}

type Format = keyof typeof fileExtensions;

const command = 'uprez-image';
const modelMissingExitCode = 2;
const aliases: Record<string, Format> = { jpg: 'jpeg', tif: 'tiff' };

async function findLocalEngine(path: string): Promise<string> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const program = join(folder, command);
    const isMissing = await access(program, constants.X_OK).catch(() => true);
    if (!isMissing) return program;
  }
  throw new CliError(
    `--local requires ${command}, which is not on your PATH. Omit --local to use the service.`,
    exitCodes.stopped,
  );
}

/** Defaults to PNG, because it is lossless. */
const localFormatOf = ({ format = 'png' }: Record<string, string>): Format => aliases[format] ?? (format as Format);

async function processLocally(
  { program, results, fields, force, signal }: ProcessingInput & { program: string },
  item: Item,
): Promise<Outcome> {
  const extension = fileExtensions[localFormatOf(fields)];
  const part = join(results.parts, `${item.key}.${extension}`);
  const flags = Object.entries(fields).flatMap(([name, value]) => toFlag(kebabCase(name), value));
  const { code, stderr } = await withSourceFile(item, { results, signal }, (source) =>
    runProgram(program, { args: [source, part, ...flags], signal }),
  );
  if (code === modelMissingExitCode) throw new CliError(stderr, exitCodes.stopped);
  if (code !== 0)
    return { kind: 'failed', code: 'local_failed', message: stderr || `${command} exited with code ${code}.` };
  const { size: bytes } = await stat(part);
  const { width, height } = await readImageSize(part);
  const output = `${item.stem}.${extension}`;
  // Recorded before the file is moved. If this run is interrupted, the next one recognizes the file as its own.
  await results.journal.append({ key: item.key, output });
  await results.place(part, { output, key: item.key, force, signal });
  await results.journal.append({ key: item.key, bytes });
  return { kind: 'done', output, width, height, bytes, charged: 0, cached: false, notes: [] };
}

function runProgram(program: string, { args, signal }: { args: string[]; signal: AbortSignal }) {
  return new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr = `${stderr}${chunk}`.slice(-2_000);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, stderr: stderr.trim() }));
  });
}

const toFlag = (flag: string, value: string): string[] =>
  ({ true: [`--${flag}`], false: [`--no-${flag}`] })[value] ?? [`--${flag}`, value];

type ApiProcessing = ProcessingInput & { client: Uprez };
type SubmittedJob = { job: Job; charged: number };

/**
 * Processes an image with the service. Records the progress in the journal. After a crash, the next run continues with
 * the same job.
 */
async function processWithApi(
  options: ApiProcessing,
  item: Item,
  onProgress: (percent: number) => void,
): Promise<Outcome> {
  const { client, results, force, signal } = options;
  const { job: submitted, charged } = (await findPendingJob(options, item)) ?? (await submitItem(options, item));
  try {
    const job = await client.jobs.waitFor(submitted, { signal, onProgress: ({ progress }) => onProgress(progress) });
    const part = join(results.parts, item.key);
    await client.jobs.download(job, { signal }).toFile(part);
    const output = `${item.stem}.${fileExtensions[job.format]}`;
    const { size: bytes } = await stat(part);
    await results.place(part, { output, key: item.key, force, signal });
    await results.journal.append({ key: item.key, output, bytes });
    const { width, height } = job.processed_size ?? { width: 0, height: 0 };
    const { cached, credits, notes } = job;
    return { kind: 'done', output, width, height, bytes, charged: Math.min(charged, credits), cached, notes };
  } catch (error) {
    if (error instanceof JobFailedError) await results.journal.append({ key: item.key, forgotten: true });
    throw error;
  }
}

/**
 * Returns the job that an earlier run submitted. Returns undefined if the job is missing, failed, canceled, or expired.
 */
async function findPendingJob(
  { client, results, signal }: ApiProcessing,
  { key }: Item,
): Promise<SubmittedJob | undefined> {
  const { jobId } = results.journal.find(key);
  if (!jobId) return undefined;
  try {
    const job = await client.jobs.get(jobId, { signal });
    if (job.status !== 'failed' && job.status !== 'cancelled' && job.status !== 'expired') return { job, charged: 0 };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'job_not_found') throw error;
  }
  await results.journal.append({ key, forgotten: true });
  return undefined;
}

async function submitItem(options: ApiProcessing, item: Item): Promise<SubmittedJob> {
  const { client, results, fields, signal } = options;
  const { key, path: source } = item;
  const { idempotencyKey: earlier } = results.journal.find(key);
  const idempotencyKey = earlier ?? randomUUID();
  if (!earlier) await results.journal.append({ key, source, idempotencyKey });
  const named = { filename: basename(source), ...fields };
  try {
    const job = await withSourceFile(item, { results, signal }, async (path) =>
      client.process(path, named as ProcessOptions, { idempotencyKey, signal }),
    );
    await results.journal.append({ key, jobId: job.id });
    return { job, charged: job.charged };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await results.journal.append({ key, forgotten: true });
    // The file's content has changed, although its size and modification time haven't. Submits it as a new image.
    if (error.code === 'idempotency_mismatch' && earlier) return submitItem(options, item);
    throw error;
  }
}

/**
 * Calls `use` with the local path of an image. If the image is in a bucket, downloads it first and deletes the download
 * afterward.
 */
async function withSourceFile<T>(
  { path, key, remote }: Item,
  { results, signal }: { results: Output; signal: AbortSignal },
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (!remote) return use(path);
  const file = join(results.parts, `${key}.source`);
  try {
    await remote.download(file, signal);
    return await use(file);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Returns a reporter that writes JSON or lines of text. On a terminal, it also shows a progress bar. `folder` is the
 * output folder or S3 URL.
 */
function chooseReporter(context: CliContext, { json, quiet }: Common, folder: string): Reporter {
  if (json) return makeJsonReporter(context.out, folder);
  const lines = makeLineReporter(context, folder, quiet);
  return context.terminal && !quiet ? withProgressBar(lines, context.terminal) : lines;
}

const noProgressReporter = { begin: () => undefined, progress: () => undefined };

const makeJsonReporter = (out: CliContext['out'], folder: string): Reporter => {
  const write = (line: object) => out(`${JSON.stringify(line)}\n`);
  return {
    ...noProgressReporter,
    finish: ({ path: source }, { kind: event, ...facts }) =>
      write({ event, source, ...facts, ...('output' in facts && { output: joinOutputPath(folder, facts.output) }) }),
    end: (summary) => write({ event: 'summary', ...summary }),
  };
};

const makeLineReporter = ({ out, err }: CliContext, folder: string, quiet: boolean): Reporter => ({
  ...noProgressReporter,
  finish: ({ path }, outcome) => {
    const name = formatPath(path);
    if (outcome.kind === 'failed') err(`${name}: ${outcome.message} (${outcome.code})\n`);
    else if (!quiet) out(`${name} -> ${describeOutcome(folder, outcome)}\n`);
  },
  end: (summary) => {
    if (!quiet) err(`${describeSummary(summary)}\n`);
  },
});

function describeOutcome(folder: string, outcome: Exclude<Outcome, { kind: 'failed' }>): string {
  const target = formatPath(joinOutputPath(folder, outcome.output));
  if (outcome.kind === 'skipped') return `${target} (already done)`;
  const { bytes, cached, notes } = outcome;
  const facts = `${formatSize(outcome)}, ${formatBytes(bytes)}${cached ? ', cached' : ''}`;
  return [`${target} (${facts})`, ...notes].join('\n    ');
}

export function describeSummary({ done, skipped, failed, left, charged }: Summary): string {
  const parts = [
    `${formatCount(done)} done`,
    ...(skipped > 0 ? [`${formatCount(skipped)} already done`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(left > 0 ? [`${formatCount(left)} left`] : []),
  ];
  return `${parts.join(', ')}; ${formatCredits(charged)} charged.`;
}

const cells = 24;
const clearLineSequence = '\r\x1b[K';

/** Formats a progress bar: `[####----] 12/40 b.jpg 40%`. */
export function formatBar(
  state: { settled: number; total: number; running: ReadonlyMap<Item, number> },
  columns: number,
) {
  const { settled, total, running } = state;
  const share = (settled + [...running.values()].reduce((sum, percent) => sum + percent / 100, 0)) / Math.max(1, total);
  const filled = Math.min(cells, Math.round(share * cells));
  const names = [...running].map(([{ path }, percent]) => `${basename(path)} ${Math.round(percent)}%`);
  const line = `[${'#'.repeat(filled)}${'-'.repeat(cells - filled)}] ${settled}/${total} ${names.join(' · ')}`;
  return line.slice(0, Math.max(0, columns - 1));
}

export function withProgressBar(inner: Reporter, terminal: NonNullable<CliContext['terminal']>): Reporter {
  const running = new Map<Item, number>();
  let settled = 0;
  let total = 0;
  const draw = () => terminal.write(clearLineSequence + formatBar({ settled, total, running }, terminal.columns || 80));
  return {
    begin: (count) => {
      settled = 0;
      total = count;
      running.clear();
    },
    progress: (item, percent) => {
      running.set(item, percent);
      draw();
    },
    finish: (item, outcome) => {
      running.delete(item);
      settled += 1;
      terminal.write(clearLineSequence);
      inner.finish(item, outcome);
      draw();
    },
    end: (summary) => {
      terminal.write(clearLineSequence);
      inner.end(summary);
    },
  };
}
