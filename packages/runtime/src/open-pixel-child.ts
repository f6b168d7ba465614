import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import readline from 'node:readline';
import type { Writable } from 'node:stream';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { limits } from '@uprez/contracts/policy/limits';
import { type FromChild, fromChildSchema, type ToChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { cpuTimeMs } from './cpu-time.ts';
import { type Jail, type JailedProcess, openJailedProcess, spawnJailed } from './jail.ts';

export type PixelChildOptions = {
  jail: Jail;
  module: string;
  options: Record<string, unknown>;
  memoryBytes: number;
  /** The largest file that it may write; by default that of processes that change images. */
  fileBytes?: number;
  readyMs: number;
  onMessage: (message: FromChild) => void;
  onLog: (line: string) => void;
};

export type PixelChild = Awaited<ReturnType<typeof openPixelChild>>;

const memoryPollMs = 100;
/** What the launcher writes when its child was killed. */
const noise = /^unshare: sigprocmask/;

/** In kB, not in pages: their size differs between kernels. */
function residentBytes(pid: number): number {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1_024 * Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0; // gone already, or no /proc on this system
  }
}

/** The elapsed time on systems where CPU times can't be read. 0 once the process has ended. */
function cpuMs(pid: number): number {
  try {
    return cpuTimeMs(pid);
  } catch {
    return fs.existsSync('/proc/self/stat') ? 0 : performance.now();
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

/**
 * Watches a child until it ends. `kill`: ends it with a code. `exited`: the code, `processing_crashed` unless we killed it.
 * `onExit`: passes the code to a listener, unless the returned function is called before. A `then` of `exited` would stay in memory
 * for as long as the child lives.
 * `limitMemory`: lowers its limit, or restores it without a value.
 * `alive`: false from the moment it ended or was killed.
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
      // What it started may still run.
      own.kill();
      clearInterval(timer);
      resolve(reason);
    };
    child.once('exit', gone);
    // Anything but a failed start is told by the exit that follows.
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
 * Start a pixel child and wait until it is ready. It is killed above `memoryBytes`, read every 100 ms, and after an
 * invalid message. Throws when it is not ready within `readyMs`.
 */
export async function openPixelChild(options: PixelChildOptions) {
  const child = spawnJailed({ fileBytes: limits.childFileBytes, ...options });
  const own = openJailedProcess(child, options.jail);
  const { kill, exited, onExit, alive, limitMemory } = watch(child, own, options.memoryBytes);
  const log = (line: string) => noise.test(line) || options.onLog(line);
  if (child.stderr) readline.createInterface({ input: child.stderr }).on('line', log);
  /** The pipe to the child's file descriptor 4. */
  const bytes = child.stdio[4] as Writable;
  // A child that dies in mid-transfer breaks the pipe; `exited` tells the story.
  bytes.on('error', () => {});
  const ready = await new Promise<Extract<FromChild, { type: 'ready' }>>((resolve, reject) => {
    const timer = setTimeout(() => kill('processing_timeout'), options.readyMs);
    void exited.then(() => {
      clearTimeout(timer);
      reject(new Error(`The child ${options.module} ended before it was ready.`));
    });
    child.on('message', (raw: unknown) => {
      const { data: message } = fromChildSchema.safeParse(raw);
      if (!message) return kill('processing_crashed');
      if (message.type !== 'ready') return options.onMessage(message);
      clearTimeout(timer);
      resolve(message);
    });
  });
  const pid = own.read() ?? 0;
  preferAsVictim(pid);
  // A message that meets its end is lost with it; `exited` tells the story.
  const send = (message: ToChild) => void (child.connected && child.send(message, () => {}));
  const use = { residentBytes: () => residentBytes(pid), cpuMs: () => cpuMs(pid) };
  return { pid, ready, send, bytes, alive, kill, exited, onExit, limitMemory, ...use };
}

export type KeptChild = ReturnType<typeof keepPixelChild>;

type KeepOptions = Omit<PixelChildOptions, 'onMessage' | 'options'> & {
  /** Called at each start. */
  options: () => PixelChildOptions['options'];
  onStartFailed: (error: unknown) => void;
  /** Called with the reason when a child ends before `close`. */
  onExit?: (reason: ErrorCode) => void;
};

const restartPauseMs = 500;

/** Keep one warm child: start it now, and start another whenever it ends. */
export function keepPixelChild({ onStartFailed, onExit, options, ...rest }: KeepOptions) {
  let child: PixelChild | undefined;
  let closed = false;
  let listener: (message: FromChild) => void = () => {};
  let starting = start();

  async function start(): Promise<PixelChild> {
    for (;;) {
      try {
        const onMessage = (message: FromChild) => listener(message);
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
    /** The child if it is ready now. */
    current: () => (child?.alive() ? child : undefined),
    /** The child as soon as it is ready; never one that is ending. Rejects after `close`. */
    get: async () => {
      while (!closed) {
        const open = await starting;
        if (open.alive()) return open;
        await open.exited;
      }
      throw new Error('The child is closed.');
    },
    /** Sets the listener for the child's messages. There is one at a time. */
    listen: (next: (message: FromChild) => void) => {
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
