import { readFileSync, writeFileSync } from 'node:fs';
import type { ToChild } from '@uprez/contracts/schemas/child-messages';
import { type Child, isReady, isReplyTo, type Reply, startChild } from '../child/start-child.ts';

type ChildKind = { name: Parameters<typeof startChild>[0]; options: object; memoryBytes: number };
/** `bytes`: the image that an inspection reads. The child is killed after `limitMs`. */
export type Question = { message: Extract<ToChild, { runId: string }>; bytes?: Buffer; limitMs: number };
/** `died`: why there is no reply. `log`: what the child wrote on stderr. */
export type Answer = { ms: number; peakBytes: number; log: string } & ({ said: Reply } | { died: string });
export type KeptChild = ReturnType<typeof keepChild>;

const readyMs = 120_000;
/** When this process runs as root, its children switch to this user, because files of a corpus may be hostile. */
export const childUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Keep one child running, and restart it after it exited. */
export function keepChild(kind: ChildKind) {
  let child: Awaited<ReturnType<typeof openChild>> | undefined;
  return {
    name: kind.name,
    /** Throws Error when the child does not start. */
    get: async () => {
      if (!child || child.hasExited()) child = await openChild(kind);
      return child;
    },
    close: async () => child?.close(),
  };
}

async function openChild({ name, options, memoryBytes }: ChildKind) {
  const child = startChild(name, { ...options, ...childUser });
  const ready = await withTimeout(readyMs, child, child.hear(isReady));
  if (!ready) throw new Error(`The child ${name} ${child.death()}. ${child.takeLog()}`);
  const onExceeded = () => child.kill(`held more than ${Math.round(memoryBytes / 1_024 / 1_024)} MB`);
  const memory = watchMemory(child.pid, memoryBytes, onExceeded);
  void child.exited.then(memory.close);
  const ask = async ({ message, bytes, limitMs }: Question): Promise<Answer> => {
    child.takeLog();
    memory.reset();
    const start = performance.now();
    const said = await withTimeout(limitMs, child, converse(child, message, bytes));
    const facts = { ms: performance.now() - start, peakBytes: memory.peakBytes(), log: child.takeLog() };
    return said ? { ...facts, said } : { ...facts, died: child.death() };
  };
  const close = async () => {
    child.kill('was closed');
    await child.exited;
  };
  return { ready, ask, close, hasExited: () => child.death() !== '' };
}

/** Send a message, and the byte ranges that the child asks for, until it replies. */
async function converse(child: Child, message: Question['message'], bytes?: Buffer): Promise<Reply | undefined> {
  let next = child.hear(isReplyTo(message.runId));
  child.send(message);
  for (;;) {
    const said = await next;
    if (said?.type !== 'read') return said;
    next = child.hear(isReplyTo(message.runId));
    if (bytes) await child.feed(bytes.subarray(said.from, said.from + said.length));
  }
}

/** Wait for work that ends with the child at the latest, which is killed after `limitMs`. */
async function withTimeout<T>(limitMs: number, { kill }: Child, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => kill(`took longer than ${limitMs / 1_000} s`), limitMs);
  return work.finally(() => clearTimeout(timer));
}

const pollMs = 100;

/** /proc/PID/status has kB, independent of the kernel's page size. */
function statusBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1_024 * Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  } catch {
    return 0; // The process has exited, or there is no /proc.
  }
}

/** Poll the resident memory of a process against a limit, and measure its peak. */
function watchMemory(pid: number, limitBytes: number, onExceeded: () => void) {
  let seen = 0;
  let isMarkFresh = false;
  const poll = () => {
    const held = statusBytes(pid, 'VmRSS');
    seen = Math.max(seen, held);
    if (held > limitBytes) onExceeded();
  };
  const timer = setInterval(poll, pollMs);
  return {
    /** Start a new measurement of the peak, and reset the kernel's (proc(5): 5 to clear_refs). */
    reset: () => {
      seen = 0;
      isMarkFresh = false;
      try {
        writeFileSync(`/proc/${pid}/clear_refs`, '5');
        isMarkFresh = true;
      } catch {
        // There is no /proc, or no permission.
      }
    },
    /** Peak since the last reset, or 0 without /proc. */
    peakBytes: () => {
      poll();
      return isMarkFresh ? Math.max(seen, statusBytes(pid, 'VmHWM')) : seen;
    },
    close: () => clearInterval(timer),
  };
}
