import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Claimers, Round, RoundResult } from '../load/claim-jobs.ts';

const file = fileURLToPath(new URL('../load/claim-jobs.ts', import.meta.url));

/** Opens processes that share the workers of each round. They stay, so that their code is compiled in all rounds but the first. */
export function openClaimers(processes: number, input: Claimers) {
  const children = Array.from({ length: processes }, () => {
    const child = fork(file, [JSON.stringify(input)]);
    return { child, exited: once(child, 'exit') };
  });
  return {
    /** Runs a round in as many processes as it has workers, at most all. Throws when a process ends. */
    run: ({ workers, jobs, ...round }: Round): Promise<RoundResult[]> => {
      const used = children.slice(0, workers);
      const share: Round = { ...round, workers: Math.ceil(workers / used.length), jobs: Math.ceil(jobs / used.length) };
      return Promise.all(
        used.map(async ({ child, exited }) => {
          child.send(share);
          const gone = new AbortController();
          void exited.then(() => gone.abort(new Error('a process of workers ended')));
          const [result] = await once(child, 'message', { signal: gone.signal });
          return result as RoundResult;
        }),
      );
    },
    close: async () => {
      for (const { child } of children) child.kill();
      await Promise.all(children.map(({ exited }) => exited));
    },
  };
}
