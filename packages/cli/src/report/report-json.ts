import { join } from 'node:path';
import type { Reporter } from '../processing/outcome.ts';

/** Reports one line of JSON per image, and a summary. */
export const reportJson = (out: (text: string) => void, folder: string): Reporter => {
  const write = (line: object) => out(`${JSON.stringify(line)}\n`);
  return {
    begin: () => undefined,
    progress: () => undefined,
    finish: ({ path: source }, { kind: event, ...facts }) =>
      write({ event, source, ...facts, ...('output' in facts && { output: join(folder, facts.output) }) }),
    end: (summary) => write({ event: 'summary', ...summary }),
  };
};
