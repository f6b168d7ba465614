import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import {
  childEnvironment,
  type MessageFromChild,
  type MessageToChild,
  messageFromChildSchema,
} from '@uprez/contracts/schemas/jobs/child-messages';

export type Child = ReturnType<typeof startChild>;
export type Reply = Extract<MessageFromChild, { type: 'inspected' | 'done' | 'failed' }>;

export const isReady = (message: MessageFromChild) => message.type === 'ready';
export const isReplyTo =
  (runId: string) =>
  (message: MessageFromChild): message is Reply | Extract<MessageFromChild, { type: 'read' }> =>
    message.type !== 'ready' && message.type !== 'progress' && message.runId === runId;

/**
 * Starts one of this package's built children in the same way as the services, but without a network namespace.
 * `options`: passed as argv[2].
 */
export function startChild(name: 'inspect/child' | 'engine/child', options: object) {
  const module = createRequire(import.meta.url).resolve(`@uprez/imaging/${name}`);
  const child = spawn(process.execPath, [module, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    env: childEnvironment,
    cwd: '/',
  });
  const maxLogLength = 2_000;
  let [death, log] = ['', ''];
  child.stderr?.on('data', (text) => {
    log = (log + text).slice(-maxLogLength);
  });
  const kill = (reason: string) => {
    death ||= reason;
    child.kill('SIGKILL');
  };
  const exited = once(child, 'exit').then(([code, signal]) => {
    death ||= `ended with ${signal ?? `exit code ${code}`}`;
  });
  let listener: (message: MessageFromChild) => void = () => {};
  child.on('message', (raw) => {
    const { data } = messageFromChildSchema.safeParse(raw);
    if (data) listener(data);
    else kill('sent an unknown message');
  });
  const bytes = child.stdio[4] as Writable;
  bytes.on('error', () => {}); // The exit of the child is handled instead.
  const write = (file: Buffer) => new Promise<void>((resolve) => bytes.write(file, () => resolve()));
  /** Resolves with the next accepted message, or undefined when the child exits. */
  const hear = <T extends MessageFromChild>(accept: (message: MessageFromChild) => message is T) =>
    new Promise<T | undefined>((resolve) => {
      listener = (message) => accept(message) && resolve(message);
      void exited.then(() => resolve(undefined));
    });
  const takeLog = () => {
    const taken = log.trim();
    log = '';
    return taken;
  };
  const send = (message: MessageToChild) => void (child.connected && child.send(message, () => {}));
  const life = { pid: child.pid ?? 0, exited, kill, death: () => death };
  return { ...life, hear, takeLog, send, feed: (file: Buffer) => Promise.race([write(file), exited]) };
}
