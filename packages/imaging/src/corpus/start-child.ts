import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { type FromChild, fromChildSchema, type ToChild } from '@uprez/contracts/schemas/child-messages';

export type ChildName = 'inspect/child' | 'engine/child';
export type ChildLife = {
  pid: number;
  alive: () => boolean;
  /** Why it ended; empty while it lives. */
  death: () => string;
  kill: (why: string) => void;
  exited: Promise<void>;
  send: (message: ToChild) => void;
  /** Resolves when the bytes have gone to file descriptor 4, or the child has. */
  feed: (bytes: Buffer) => Promise<void>;
  /** The next message that `accept` takes, or undefined when the child ends before. */
  hear: <T extends FromChild>(accept: (message: FromChild) => message is T) => Promise<T | undefined>;
  /** What it wrote on stderr since the last call. */
  takeLog: () => string;
};

/** Where we are root, the child becomes this user: hostile files are what a corpus is for. */
export const childUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
const keptLog = 2_000;

/** Start a built child of this package the way the services do, but for the network namespace around it. */
export function startChild(name: ChildName, options: object): ChildLife {
  const module = createRequire(import.meta.url).resolve(`@uprez/imaging/${name}`);
  const child = spawn(process.execPath, [module, JSON.stringify({ ...options, ...childUser })], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    env: { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2', ORT_DISABLE_TELEMETRY: '1' },
    cwd: '/',
  });
  let death = '';
  const kill = (why: string) => {
    death ||= why;
    child.kill('SIGKILL');
  };
  const exited = once(child, 'exit').then(([code, signal]) => {
    death ||= `ended with ${signal ?? `exit code ${code}`}`;
  });
  let listener: (message: FromChild) => void = () => {};
  child.on('message', (raw) => {
    const { data } = fromChildSchema.safeParse(raw);
    if (data) listener(data);
    else kill('said what no child says');
  });
  const bytes = child.stdio[4] as Writable;
  bytes.on('error', () => {}); // a child that dies in mid-transfer breaks the pipe; its death is the news
  const feed = (file: Buffer) => new Promise<void>((resolve) => bytes.write(file, () => resolve()));
  const hear = <T extends FromChild>(accept: (message: FromChild) => message is T) =>
    new Promise<T | undefined>((resolve) => {
      listener = (message) => accept(message) && resolve(message);
      void exited.then(() => resolve(undefined));
    });
  const life = { alive: () => death === '', death: () => death, kill, exited, takeLog: keepLog(child.stderr) };
  const send = (message: ToChild) => void (child.connected && child.send(message, () => {}));
  return { ...life, pid: child.pid ?? 0, send, hear, feed: (file) => Promise.race([feed(file), exited]) };
}

function keepLog(stderr: NodeJS.ReadableStream | null): () => string {
  let log = '';
  stderr?.on('data', (text) => {
    log = (log + text).slice(-keptLog);
  });
  return () => {
    const taken = log.trim();
    log = '';
    return taken;
  };
}
