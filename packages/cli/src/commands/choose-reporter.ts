import type { Common, Work } from '../read-arguments.ts';
import { reportJson } from '../report/json-lines.ts';
import { reportLines } from '../report/lines.ts';
import { withProgressBar } from '../report/progress-bar.ts';
import type { Reporter } from '../work/outcome.ts';
import type { World } from '../world.ts';

export function chooseReporter(world: World, { json, quiet }: Common, { out: folder }: Work): Reporter {
  if (json) return reportJson(world.out, folder);
  const lines = reportLines(world, { folder, quiet });
  return world.terminal && !quiet ? withProgressBar(lines, world.terminal) : lines;
}
