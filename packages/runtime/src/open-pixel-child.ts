import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';
import type { Writable } from 'node:stream';
import { type FromChild, fromChildSchema, type ToChild } from '@uprez/contracts/child-messages';
import type { ErrorCode } from '@uprez/contracts/error-codes';
import { type Jail, spawnJailed } from './jail.ts';

export type PixelChildOptions = {
  jail: Jail;
  module: string;
  options: Record<string, unknown>;
  memoryBytes: number;
  readyMs: number;
  onMessage: (message: FromChild) => void;
  onLog: (line: string) => void;
};

export type PixelChild = {
  pid: number;
  ready: Extract<FromChild, { type: 'ready' }>;
  send: (message: ToChild) => void;
  /** The pipe to the child's file descriptor 4. */
  bytes: Writable;
  /** Kill it; `exited` answers the code. */
  kill: (code: ErrorCode) => void;
  /** Resolves when the process is gone, with the code of why: `processing_crashed` unless we killed it. */
  exited: Promise<ErrorCode>;
};

const pageBytes = 4_096;
const memoryPollMs = 100;

function residentBytes(pid: number): number {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes;
  } catch {
    return 0; // gone already, or no /proc on this system
  }
}

/** Let the kernel take the child first when memory runs out, and never us. */
function preferAsVictim(pid: number): void {
  try {
    fs.writeFileSync(`/proc/${pid}/oom_score_adj`, '900');
  } catch {
    // Not Linux, or not allowed: the memory poll is the guard then.
  }
}

function watch(child: ChildProcess, memoryBytes: number) {
  let reason: ErrorCode = 'processing_crashed';
  const kill = (code: ErrorCode) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    reason = code;
    child.kill('SIGKILL');
  };
  const timer = setInterval(() => {
    if (child.pid && residentBytes(child.pid) > memoryBytes) kill('processing_memory');
  }, memoryPollMs);
  timer.unref();
  const exited = new Promise<ErrorCode>((resolve) => {
    const gone = () => {
      clearInterval(timer);
      resolve(reason);
    };
    child.once('exit', gone);
    child.once('error', gone);
  });
  return { kill, exited };
}

/**
 * Start a child that decodes or enlarges pixels and wait until it is ready. Its resident memory is read every 100 ms
 * against `memoryBytes`. Throws when it ends, or says nothing for `readyMs`, before it is ready.
 */
export async function openPixelChild(options: PixelChildOptions): Promise<PixelChild> {
  const child = spawnJailed(options);
  const { kill, exited } = watch(child, options.memoryBytes);
  if (child.stderr) readline.createInterface({ input: child.stderr }).on('line', options.onLog);
  const bytes = child.stdio[4] as Writable;
  // A child that dies in mid-transfer breaks the pipe; `exited` tells the story.
  bytes.on('error', () => {});
  const ready = await new Promise<PixelChild['ready']>((resolve, reject) => {
    const timer = setTimeout(() => kill('processing_timeout'), options.readyMs);
    exited.then(() => reject(new Error(`The child ${options.module} ended before it was ready.`)), reject);
    child.on('message', (raw: unknown) => {
      const message = fromChildSchema.parse(raw);
      if (message.type !== 'ready') return options.onMessage(message);
      clearTimeout(timer);
      resolve(message);
    });
  });
  const pid = child.pid ?? 0;
  preferAsVictim(pid);
  const send = (message: ToChild) => void (child.connected && child.send(message));
  return { pid, ready, send, bytes, kill, exited };
}
