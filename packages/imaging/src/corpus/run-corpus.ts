import { readFileSync, writeFileSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { jobFiles, type MessageToChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { type Child, isReady, isReplyTo, type Reply, startChild } from '../child/start-child.ts';
import { computeWallLimitMs } from '../pipeline/estimate.ts';
import { makePipeline } from '../pipeline/make-pipeline.ts';
import type { FileReport } from './format-reports.ts';
import type { CorpusJob } from './read-corpus-arguments.ts';

type CorpusRun = CorpusJob & {
  files: readonly string[];
  modelsDir: string;
  signal: AbortSignal;
  onReport: (report: FileReport) => void;
};

/** Lists the files of a folder and its subfolders as sorted relative paths. Symbolic links aren't followed. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Processes files one by one. Throws AppError `engine_unavailable` if the model is missing, or `cancelled`. */
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
    for (const file of run.files)
      for (const copy of makeDamagedCopies(await readFile(join(run.folder, file)), run.damage)) {
        const report = await runFile({ ...run, inspector, engine }, { ...copy, file: file + copy.suffix });
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

function* makeDamagedCopies(source: Buffer, damage: CorpusJob['damage']) {
  if (!damage) yield { source, suffix: '' };
  for (let i = 0; i < (damage?.copies ?? 0); i++) {
    const seed = (damage?.seed ?? 1) + i;
    yield { source: damageFile(source, seed), suffix: ` (seed ${seed})` };
  }
}

type CorpusContext = Pick<CorpusJob, 'folder' | 'recipe' | 'maxJobSeconds'> & {
  inspector: KeptChild;
  engine: KeptChild;
};
type Outcome = Omit<FileReport, 'file' | 'sizeBytes' | 'ms' | 'peakBytes'>;
type FailureOutcome = Pick<FileReport, 'verdict' | 'code' | 'sentence' | 'mismatch'>;
type Usage = Pick<FileReport, 'ms' | 'peakBytes' | 'log'>;

/**
 * Processes one file as the service does, then inspects the result. Applies only limits that are the same for all
 * plans.
 */
async function runFile(bench: CorpusContext, { file, source }: { file: string; source: Buffer }): Promise<FileReport> {
  const usage: Usage = { ms: 0, peakBytes: 0 };
  const outcome = await processBytes(bench, source, usage);
  return { file, sizeBytes: source.length, ...usage, ...outcome };
}

async function processBytes(bench: CorpusContext, source: Buffer, usage: Usage): Promise<Outcome> {
  const { recipe, maxJobSeconds } = bench;
  if (source.length > limits.uploadBytes) return toFailureOutcome('file_too_large', errorCodes.file_too_large.title);
  const inspected = await inspectBytes(bench.inspector, source, usage);
  if ('verdict' in inspected) return inspected;
  const { inspection } = inspected;
  const ownLimits = { maxOutputPixels: limits.outputPixels, maxJobSeconds, autoEngine: 'photo-fast' } as const;
  const outcome = makePipeline({ recipe, inspection, limits: ownLimits });
  if (!outcome.ok) return { inspection, ...toFailureOutcome(outcome.rejection.code, outcome.rejection.detail) };
  const { pipeline } = outcome;
  return { inspection, pipeline, ...(await processInEngine(bench, { pipeline, source }, usage)) };
}

/** Creates the outcome of a failed file. Its code and message determine whether it counts as a crash. */
function toFailureOutcome(code: ErrorCode, sentence: string): FailureOutcome {
  const mismatch = findMismatch(code, sentence);
  return { verdict: mismatch ? 'crashed' : 'refused', code, sentence, ...(mismatch && { mismatch }) };
}

async function requestFromChild(kept: KeptChild, question: ChildRequest, usage: Usage) {
  const answer = await (await kept.get()).ask(question);
  usage.ms += answer.ms;
  usage.peakBytes = Math.max(usage.peakBytes, answer.peakBytes);
  if (answer.log) usage.log = [usage.log, answer.log].filter(Boolean).join('\n');
  if ('died' in answer) return { verdict: 'crashed', mismatch: `${kept.name} ${answer.died}` } as const;
  if (answer.said.type === 'failed') return toFailureOutcome(answer.said.code, answer.said.detail);
  return answer.said;
}

async function inspectBytes(
  inspector: KeptChild,
  bytes: Buffer,
  usage: Usage,
): Promise<{ inspection: Inspection } | FailureOutcome> {
  const message = { type: 'inspect', runId: 'corpus', sizeBytes: bytes.length } as const;
  const reply = await requestFromChild(inspector, { message, bytes, limitMs: limits.inspectionMs }, usage);
  if ('verdict' in reply || reply.type === 'inspected') return reply;
  return { verdict: 'crashed', mismatch: `the inspecting child said ${reply.type}` };
}

async function processInEngine(
  bench: CorpusContext,
  { pipeline, source }: { pipeline: ImagePipeline; source: Buffer },
  usage: Usage,
) {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-corpus-'));
  try {
    if (childUser) await chown(dir, childUser.uid, childUser.gid);
    await writeFile(join(dir, jobFiles.source), source);
    const message = { type: 'run', runId: 'corpus', pipeline, dir } as const;
    const reply = await requestFromChild(
      bench.engine,
      { message, limitMs: computeWallLimitMs(pipeline, bench) },
      usage,
    );
    if ('verdict' in reply) return reply;
    if (reply.type !== 'done')
      return { verdict: 'crashed', mismatch: `the engine's child said ${reply.type}` } as const;
    const mismatch = await checkResult(bench, pipeline, join(dir, jobFiles.result));
    const verdict = mismatch ? ('crashed' as const) : ('accepted' as const);
    return { verdict, receipt: reply.result, ...(mismatch && { mismatch }) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const inputLimitCodes: readonly unknown[] = [
  'side_too_long',
  'too_many_pixels',
  'too_many_frames',
] satisfies ErrorCode[];

/**
 * Checks that a result is readable and matches its pipeline. Returns a description of the mismatch, or undefined if
 * they match.
 */
async function checkResult(bench: CorpusContext, { output }: ImagePipeline, path: string): Promise<string | undefined> {
  if ((await stat(path)).size > limits.uploadBytes) return undefined;
  const found = await inspectBytes(bench.inspector, await readFile(path), { ms: 0, peakBytes: 0 });
  if ('verdict' in found) {
    if (inputLimitCodes.includes(found.code)) return undefined;
    return `the result cannot be read: ${found.mismatch ?? found.sentence}`;
  }
  const { inspection } = found;
  const wrong = (['format', 'width', 'height', 'bitDepth'] as const).find((fact) => inspection[fact] !== output[fact]);
  return wrong && `the result's ${wrong} is ${inspection[wrong]}, not ${output[wrong]}`;
}

/** Patterns that occur only in messages from libraries, the operating system, and JavaScript. */
const libraryMessagePattern =
  /vips|sharp|lib(s?png|jpeg|webp|tiff|heif)|onnx|_buffer|\w(load|save)\b|[Ii]nput (buffer|file)|\bE[A-Z]{4,}\b|Error\b|undefined|\bNaN\b|\bnull\b|\[object|[\w.]\/\w+\//;

/** Whether a message is the error code's title, or a sentence that doesn't contain library or system messages. */
const isUserFacingMessage = (code: ErrorCode, sentence: string): boolean =>
  sentence === errorCodes[code].title ||
  (/^[A-Z"].{8,400}[.]$/.test(sentence) && !libraryMessagePattern.test(sentence));

/** Returns why a failure reported by a child counts as a crash. Returns undefined for a validation error. */
export function findMismatch(code: ErrorCode, sentence: string): string | undefined {
  if (errorCodes[code].report) return `ended in ${code}`;
  return isUserFacingMessage(code, sentence) ? undefined : 'was refused in words that are not ours';
}

/**
 * Returns a generator of integers from 0 to `limit` (exclusive), by xorshift32 (Marsaglia 2003). The same seed gives
 * the same integers.
 */
function makeRandom(seed: number): (limit: number) => number {
  let state = seed || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, limit);
  };
}

/**
 * Number of bytes at the start of a file that receive half of the damage. Headers are a small part of a file, but most
 * of what parsers read.
 */
const headerBytes = 4_096;
const maxFlips = 8;
const maxPieceBytes = 64;

/**
 * Returns a damaged copy of a file. The copy has a few changed bytes, is truncated, or has a part removed or repeated.
 * Half of the damage is near the start.
 */
function damageFile(file: Buffer, seed: number): Buffer {
  const random = makeRandom(seed);
  const place = () => random(random(2) === 0 ? Math.min(file.length, headerBytes) : file.length);
  const kind = random(8);
  if (kind === 0) return file.subarray(0, place());
  if (kind === 1) {
    const from = place();
    const piece = file.subarray(from, from + random(maxPieceBytes));
    const pieces = random(2) === 0 ? [] : [piece, piece];
    return Buffer.concat([file.subarray(0, from), ...pieces, file.subarray(from + piece.length)]);
  }
  const copy = Buffer.from(file);
  for (let flips = 1 + random(maxFlips); flips > 0; flips--) copy[place()] = random(256);
  return copy;
}

type ChildKind = { name: Parameters<typeof startChild>[0]; options: object; memoryBytes: number };
/** `bytes`: the image file for an inspection. `limitMs`: time after which the child is killed. */
type ChildRequest = { message: Extract<MessageToChild, { runId: string }>; bytes?: Buffer; limitMs: number };
/** `died`: why the child didn't reply. `log`: the child's stderr output. */
export type ChildResponse = { ms: number; peakBytes: number; log: string } & ({ said: Reply } | { died: string });
type KeptChild = ReturnType<typeof keepChild>;

const readyTimeoutMs = 120_000;
/** User that child processes switch to if this process runs as root, because corpus files may be malicious. */
export const childUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Keeps one child running. If it has exited, `get` starts another child. */
export function keepChild(kind: ChildKind) {
  let child: Awaited<ReturnType<typeof openChild>> | undefined;
  return {
    name: kind.name,
    /** Returns the running child, or starts one. Throws Error if the child doesn't start. */
    get: async () => {
      if (!child || child.hasExited()) child = await openChild(kind);
      return child;
    },
    close: async () => child?.close(),
  };
}

async function openChild({ name, options, memoryBytes }: ChildKind) {
  const child = startChild(name, { ...options, ...childUser });
  const ready = await withTimeout(readyTimeoutMs, child, child.hear(isReady));
  if (!ready) throw new Error(`The child ${name} ${child.death()}. ${child.takeLog()}`);
  const onExceeded = () => child.kill(`held more than ${Math.round(memoryBytes / 1_024 / 1_024)} MB`);
  const memory = watchMemory(child.pid, memoryBytes, onExceeded);
  void child.exited.then(memory.close);
  const ask = async ({ message, bytes, limitMs }: ChildRequest): Promise<ChildResponse> => {
    child.takeLog();
    memory.reset();
    const start = performance.now();
    const said = await withTimeout(limitMs, child, exchangeMessages(child, message, bytes));
    const facts = { ms: performance.now() - start, peakBytes: memory.peakBytes(), log: child.takeLog() };
    return said ? { ...facts, said } : { ...facts, died: child.death() };
  };
  const close = async () => {
    child.kill('was closed');
    await child.exited;
  };
  return { ready, ask, close, hasExited: () => child.death() !== '' };
}

/**
 * Sends a message, then the byte ranges that the child requests. Returns the child's reply, or undefined if the child
 * exits.
 */
async function exchangeMessages(
  child: Child,
  message: ChildRequest['message'],
  bytes?: Buffer,
): Promise<Reply | undefined> {
  let next = child.hear(isReplyTo(message.runId));
  child.send(message);
  for (;;) {
    const said = await next;
    if (said?.type !== 'read') return said;
    next = child.hear(isReplyTo(message.runId));
    if (bytes) await child.feed(bytes.subarray(said.from, said.from + said.length));
  }
}

/** Waits for a promise that settles when the child exits, if not earlier. Kills the child after `limitMs`. */
async function withTimeout<T>(limitMs: number, { kill }: Child, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => kill(`took longer than ${limitMs / 1_000} s`), limitMs);
  return work.finally(() => clearTimeout(timer));
}

const pollMs = 100;

/**
 * Reads a memory value from /proc/PID/status, in bytes. This file doesn't depend on the kernel's page size. Returns 0
 * if the file can't be read.
 */
function readMemoryBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1_024 * Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  } catch {
    return 0; // The process has exited, or there is no /proc.
  }
}

/** Polls the resident memory of a process. Calls `onExceeded` if it's above the limit, and measures its peak. */
function watchMemory(pid: number, limitBytes: number, onExceeded: () => void) {
  let seen = 0;
  let isMarkFresh = false;
  const poll = () => {
    const held = readMemoryBytes(pid, 'VmRSS');
    seen = Math.max(seen, held);
    if (held > limitBytes) onExceeded();
  };
  const timer = setInterval(poll, pollMs);
  return {
    /** Also resets the kernel's peak value by writing 5 to clear_refs (proc(5)). */
    reset: () => {
      seen = 0;
      isMarkFresh = false;
      try {
        writeFileSync(`/proc/${pid}/clear_refs`, '5');
        isMarkFresh = true;
      } catch {
        // /proc doesn't exist, or this process can't write to it.
      }
    },
    /** Returns the peak since the last reset, in bytes, or 0 if /proc doesn't exist. */
    peakBytes: () => {
      poll();
      return isMarkFresh ? Math.max(seen, readMemoryBytes(pid, 'VmHWM')) : seen;
    },
    close: () => clearInterval(timer),
  };
}
