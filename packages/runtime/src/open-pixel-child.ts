import type { ChildProcess } from 'node:child_process';
import fs, { readFileSync } from 'node:fs';
import readline from 'node:readline';
import type { Writable } from 'node:stream';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type MessageFromChild,
  type MessageToChild,
  messageFromChildSchema,
} from '@uprez/contracts/schemas/jobs/child-messages';
import { type Jail, type JailedProcess, openJailedProcess, spawnJailed } from './jail.ts';

export type PixelChildOptions = {
  jail: Jail;
  module: string;
  options: Record<string, unknown>;
  memoryBytes: number;
  /** Maximum size of a file that the child may write. Defaults to the limit for children that process images. */
  fileBytes?: number;
  readyMs: number;
  onMessage: (message: MessageFromChild) => void;
  onLog: (line: string) => void;
};

export type PixelChild = Awaited<ReturnType<typeof openPixelChild>>;

const memoryPollMs = 100;
/** Message that the launcher prints when its child is killed. Not logged. */
const noise = /^unshare: sigprocmask/;

/**
 * Returns the resident memory of a process, in bytes, or 0 if it can't be read. Reads the value in kB instead of pages,
 * because page sizes differ between kernels.
 */
function residentBytes(pid: number): number {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1_024 * Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0; // gone already, or no /proc on this system
  }
}

/**
 * Returns the CPU time of a process, or the elapsed time on systems where CPU times can't be read. Returns 0 once the
 * process has ended.
 */
function cpuMs(pid: number): number {
  try {
    return cpuTimeMs(pid);
  } catch {
    return fs.existsSync('/proc/self/stat') ? 0 : performance.now();
  }
}

/** Makes the kernel kill the child rather than this process when memory runs out. */
function preferAsVictim(pid: number): void {
  try {
    fs.writeFileSync(`/proc/${pid}/oom_score_adj`, '900');
  } catch {
    // The system isn't Linux, or writing isn't permitted. The memory poll still limits the child.
  }
}

/**
 * Watches a child until it ends.
 *
 * - `kill`: ends the child with an error code.
 * - `exited`: resolves with that error code, or with `processing_crashed` if the child wasn't killed.
 * - `onExit`: passes the error code to a listener, and returns a function that removes the listener. Unlike a listener,
 *   a `then` callback of `exited` would stay in memory for as long as the child lives.
 * - `limitMemory`: lowers the memory limit, or restores it if called without a value.
 * - `alive`: false as soon as the child has ended or was killed.
 */
function watch(child: ChildProcess, own: JailedProcess, maxMemoryBytes: number) {
  let memoryBytes = maxMemoryBytes;
  let reason: ErrorCode = 'processing_crashed';
  let ending = false;
  const kill = (code: ErrorCode) => {
    if (ending) return;
    ending = true;
    reason = code;
    own.kill();
  };
  const timer = setInterval(() => {
    if (residentBytes(own.read() ?? 0) > memoryBytes) kill('processing_memory');
  }, memoryPollMs);
  timer.unref();
  const exited = new Promise<ErrorCode>((resolve) => {
    const gone = () => {
      ending = true;
      // Processes that the child started may still be running, so kill them.
      own.kill();
      clearInterval(timer);
      resolve(reason);
    };
    child.once('exit', gone);
    // Handle only a failed start, because all other errors are followed by an exit.
    child.on('error', () => child.pid === undefined && gone());
  });
  const listeners = new Set<(code: ErrorCode) => void>();
  let isOver = false;
  void exited.then((code) => {
    isOver = true;
    for (const listener of listeners) listener(code);
  });
  const onExit = (listener: (code: ErrorCode) => void) => {
    if (isOver) void exited.then(listener);
    else listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const limitMemory = (bytes = maxMemoryBytes) => {
    memoryBytes = Math.min(bytes, maxMemoryBytes);
  };
  return { kill, exited, onExit, alive: () => !ending, limitMemory };
}

/**
 * Starts a pixel child and waits until it is ready. Kills the child after an invalid message, or if its memory exceeds
 * `memoryBytes`. The memory is read every 100 ms. Throws if the child isn't ready within `readyMs`.
 */
export async function openPixelChild(options: PixelChildOptions) {
  const child = spawnJailed({ fileBytes: limits.childFileBytes, ...options });
  const own = openJailedProcess(child, options.jail);
  const { kill, exited, onExit, alive, limitMemory } = watch(child, own, options.memoryBytes);
  const log = (line: string) => noise.test(line) || options.onLog(line);
  if (child.stderr) readline.createInterface({ input: child.stderr }).on('line', log);
  const bytes = child.stdio[4] as Writable;
  // Ignore errors, because the pipe breaks if the child dies during a transfer. `exited` resolves with the reason.
  bytes.on('error', () => {});
  const ready = await new Promise<Extract<MessageFromChild, { type: 'ready' }>>((resolve, reject) => {
    const timer = setTimeout(() => kill('processing_timeout'), options.readyMs);
    void exited.then(() => {
      clearTimeout(timer);
      reject(new Error(`The child ${options.module} ended before it was ready.`));
    });
    child.on('message', (raw: unknown) => {
      const { data: message } = messageFromChildSchema.safeParse(raw);
      if (!message) return kill('processing_crashed');
      if (message.type !== 'ready') return options.onMessage(message);
      clearTimeout(timer);
      resolve(message);
    });
  });
  const pid = own.read() ?? 0;
  preferAsVictim(pid);
  // Ignore errors, because messages in flight are lost when the child exits. `exited` resolves with the reason.
  const send = (message: MessageToChild) => void (child.connected && child.send(message, () => {}));
  const use = { residentBytes: () => residentBytes(pid), cpuMs: () => cpuMs(pid) };
  return { pid, ready, send, bytes, alive, kill, exited, onExit, limitMemory, ...use };
}

export type KeptChild = ReturnType<typeof keepPixelChild>;

type KeepOptions = Omit<PixelChildOptions, 'onMessage' | 'options'> & {
  /** Returns the child's options. Called each time a child starts. */
  options: () => PixelChildOptions['options'];
  onStartFailed: (error: unknown) => void;
  /** Called with the reason when a child ends before `close`. */
  onExit?: (reason: ErrorCode) => void;
};

const restartPauseMs = 500;

/** Keeps one warm child: starts it now, and starts another whenever it ends. */
export function keepPixelChild({ onStartFailed, onExit, options, ...rest }: KeepOptions) {
  let child: PixelChild | undefined;
  let closed = false;
  let listener: (message: MessageFromChild) => void = () => {};
  let starting = start();

  async function start(): Promise<PixelChild> {
    for (;;) {
      try {
        const onMessage = (message: MessageFromChild) => listener(message);
        const opened = await openPixelChild({ ...rest, options: options(), onMessage });
        child = opened;
        void opened.exited.then((reason) => {
          if (closed) return;
          onExit?.(reason);
          starting = start();
        });
        return opened;
      } catch (error) {
        onStartFailed(error);
        if (closed) throw error;
        await new Promise((resolve) => setTimeout(resolve, restartPauseMs));
      }
    }
  }

  return {
    /** Returns the child if it is ready now. */
    current: () => (child?.alive() ? child : undefined),
    /** Returns the child as soon as it is ready. Never returns a child that is ending. Rejects after `close`. */
    get: async () => {
      while (!closed) {
        const open = await starting;
        if (open.alive()) return open;
        await open.exited;
      }
      throw new Error('The child is closed.');
    },
    /** Replaces the previous listener. */
    listen: (next: (message: MessageFromChild) => void) => {
      listener = next;
    },
    close: async () => {
      closed = true;
      const open = await starting.catch(() => undefined);
      open?.kill('processing_crashed');
      await open?.exited;
    },
  };
}

/** Linux measures CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Returns the CPU time that a process has used, in milliseconds. Unlike elapsed time, CPU time doesn't depend on the
 * machine's load. For other processes, reads the time from /proc. Throws if /proc doesn't exist, or if the process has
 * ended.
 */
export function cpuTimeMs(pid = process.pid): number {
  if (pid === process.pid) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  // Split after the last parenthesis, because the second field is the command in parentheses and may contain spaces.
  // utime and stime are fields 14 and 15.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
