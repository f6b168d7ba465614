import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  childEnvironment,
  type MessageFromChild,
  type MessageToChild,
  messageFromChildSchema,
} from '@uprez/contracts/schemas/jobs/child-messages';

export type Child = {
  process: ChildProcess;
  send: (message: MessageToChild) => void;
  /** Sends an `inspect` message, and writes the ranges of the file that the child requests. */
  inspect: (runId: string, file: Buffer) => void;
  /** All messages so far. */
  said: MessageFromChild[];
  /** Returns the first past or future message that `accept` accepts. Rejects when the child exits before. */
  next: <T extends MessageFromChild>(accept: (message: MessageFromChild) => message is T) => Promise<T>;
  log: () => string;
  stop: () => Promise<void>;
};

/**
 * Starts a built child of this package as services do: JSON in argv[2], messages on IPC, bytes on descriptor 4. `launcher`: a
 * command that starts it.
 */
export function startChild(
  name: 'engine/child' | 'inspect/child',
  options: object,
  launcher: readonly string[] = [],
): Child {
  // The test runner resolves packages to their sources. A child runs built files.
  const module = fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));
  const [program = '', ...args] = [...launcher, process.execPath, module, JSON.stringify(options)];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    env: childEnvironment,
  });
  const said: MessageFromChild[] = [];
  let log = '';
  child.stderr?.on('data', (text) => {
    log += text;
  });
  let wake = () => {};
  const files = new Map<string, Buffer>();
  child.on('message', (raw) => {
    const message = messageFromChildSchema.parse(raw);
    if (message.type === 'read')
      (child.stdio[4] as Writable).write(
        files.get(message.runId)?.subarray(message.from, message.from + message.length),
      );
    else said.push(message);
    wake();
  });
  child.on('exit', () => wake());
  const next = async <T extends MessageFromChild>(accept: (message: MessageFromChild) => message is T): Promise<T> => {
    for (;;) {
      const found = said.find(accept);
      if (found) return found;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the child ended: ${log}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  const send = (message: MessageToChild) => void child.send(message);
  const inspect = (runId: string, file: Buffer) => {
    files.set(runId, file);
    send({ type: 'inspect', runId, sizeBytes: file.length });
  };
  return { process: child, send, inspect, said, next, log: () => log, stop };
}

type OfType<K extends MessageFromChild['type']> = Extract<MessageFromChild, { type: K }>;
/** Returns a filter for `next`: messages of a type, and of a run if given. */
export const isMessage =
  <K extends MessageFromChild['type']>(type: K, runId?: string) =>
  (message: MessageFromChild): message is OfType<K> =>
    message.type === type && (runId === undefined || ('runId' in message && message.runId === runId));
