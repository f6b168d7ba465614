import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Child<Answer> = {
  pid: number;
  /** Resolves with the first message of the child. Rejects when it exits without one, or after 20 minutes. */
  answer: Promise<Answer>;
  end: () => Promise<void>;
};

/**
 * Starts a script of this folder in a separate process, whose memory and CPU time are not part of the measurement.
 * `input` is JSON in argv[2]. The child inherits the Node options of this process, with `nodeArgs` in addition.
 */
export function startChild<Answer>(name: string, input: unknown, nodeArgs: readonly string[] = []): Child<Answer> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = fork(file, [JSON.stringify(input)], { execArgv: [...process.execArgv, ...nodeArgs] });
  const exited = once(child, 'exit');
  const gone = new AbortController();
  void exited.then(() => gone.abort(new Error(`${name} ended without an answer`)));
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(1_200_000)]);
  return {
    pid: child.pid ?? 0,
    answer: once(child, 'message', { signal }).then(([message]) => message as Answer),
    end: async () => {
      child.kill();
      await exited;
    },
  };
}

/** Starts a script, returns its message, and ends it. */
export async function runChild<Answer>(name: string, input: unknown): Promise<Answer> {
  const child = startChild<Answer>(name, input);
  try {
    return await child.answer;
  } finally {
    await child.end();
  }
}
