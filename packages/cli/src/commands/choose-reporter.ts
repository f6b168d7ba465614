import type { CliContext } from '../context.ts';
import type { Common, RunOptions } from '../parse-arguments.ts';
import type { Reporter } from '../processing/outcome.ts';
import { reportJson } from '../report/report-json.ts';
import { reportLines } from '../report/report-lines.ts';
import { withProgressBar } from '../report/with-progress-bar.ts';

export function chooseReporter(context: CliContext, { json, quiet }: Common, { out: folder }: RunOptions): Reporter {
  if (json) return reportJson(context.out, folder);
  const lines = reportLines(context, { folder, quiet });
  return context.terminal && !quiet ? withProgressBar(lines, context.terminal) : lines;
}
