import { join } from 'node:path';
import type { CliContext } from '../config.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import type { Reporter } from '../processing/outcome.ts';
import { reportLines } from '../report/report-lines.ts';
import { withProgressBar } from '../report/with-progress-bar.ts';

const reportJson = (out: (text: string) => void, folder: string): Reporter => {
  const write = (line: object) => out(`${JSON.stringify(line)}\n`);
  return {
    begin: () => undefined,
    progress: () => undefined,
    finish: ({ path: source }, { kind: event, ...facts }) =>
      write({ event, source, ...facts, ...('output' in facts && { output: join(folder, facts.output) }) }),
    end: (summary) => write({ event: 'summary', ...summary }),
  };
};

export function chooseReporter(context: CliContext, { json, quiet }: Common, { out: folder }: RunOptions): Reporter {
  if (json) return reportJson(context.out, folder);
  const lines = reportLines(context, { folder, quiet });
  return context.terminal && !quiet ? withProgressBar(lines, context.terminal) : lines;
}
