import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Child<Answer> = {
  pid: number;
  /** The first message of the child. Rejects when it ends without one, or takes longer than 120 s. */
  answer: Promise<Answer>;
  end: () => Promise<void>;
};

/**
 * Start a script of this folder as a process of its own, so that neither its memory nor its work is counted elsewhere.
 * `input` reaches it as JSON in argv[2]; it inherits this process's Node options and gets `nodeArgs` beside them.
 */
export function startChild<Answer>(name: string, input: unknown, nodeArgs: readonly string[] = []): Child<Answer> {
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = fork(file, [JSON.stringify(input)], { execArgv: [...process.execArgv, ...nodeArgs] });
  const exited = once(child, 'exit');
  const gone = new AbortController();
  void exited.then(() => gone.abort(new Error(`${name} ended without an answer`)));
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(120_000)]);
  return {
    pid: child.pid ?? 0,
    answer: once(child, 'message', { signal }).then(([message]) => message as Answer),
    end: async () => {
      child.kill();
      await exited;
    },
  };
}

/** Start a script, await its answer, end it. */
export async function runChild<Answer>(name: string, input: unknown): Promise<Answer> {
  const child = startChild<Answer>(name, input);
  try {
    return await child.answer;
  } finally {
    await child.end();
  }
}
