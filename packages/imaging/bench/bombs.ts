import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cpuTimeMs } from '@uprez/runtime/open-pixel-child';
import { compareGoals, printTable, reportResults } from '@uprez/testing/bench-report';
import { inspect } from '../src/inspect/inspect.ts';
import { bombs } from '../test/hostile/bombs.ts';
import { costlyFiles } from '../test/hostile/costly/costly-files.ts';
import { structureBombs } from '../test/hostile/structure-bombs.ts';
import { isMessage, startChild } from '../test/support/child-process.ts';
import { pipelineFor, runJob } from '../test/support/run-job.ts';

/**
 * Inspects every file of `test/hostile` in the inspecting child, and prints the wall time, the CPU time, and the memory beyond
 * that before and the file itself. Then runs jobs with the files that take decoders longest, and compares the CPU time with the
 * estimate. Optional argument: a part of the names. Run by `npm run bench:bombs`. Linux only.
 */
const { positionals } = parseArgs({ allowPositionals: true, options: { save: { type: 'boolean' } } });
const [part = ''] = positionals;
const megabyte = 1024 * 1024;
const child = startChild('inspect/child', {});
const pid = child.process.pid ?? 0;
const memoryOf = (name: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

await child.next(isMessage('ready'));
const rows: { name: string; ms: number; cpuMs: number; mb: number; code: string }[] = [];
for (const { name, make } of [...bombs, ...structureBombs].filter((bomb) => bomb.name.includes(part))) {
  const file = await make();
  // The first run compiles the parser.
  for (const runId of [`${name} (first)`, name]) {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const [before, cpu, start] = [memoryOf('VmRSS'), cpuTimeMs(pid), performance.now()];
    child.inspect(runId, file);
    const answer = await child.next(isMessage('failed', runId));
    if (runId !== name) continue;
    const ms = Math.round(performance.now() - start);
    const mb = Math.max(0, Math.round((memoryOf('VmHWM') - before - file.length) / megabyte));
    rows.push({ name, ms, cpuMs: Math.round(cpuTimeMs(pid) - cpu), mb, code: answer.code });
  }
}
await child.stop();
const sorted = rows.toSorted((a, b) => b.cpuMs - a.cpuMs).map(({ name, ...row }) => [name, row] as const);
printTable('Inspection', Object.fromEntries(sorted));

/** The smallest result, so that hardly anything but decoding counts. */
const width = 64;
const goal = 3;
const ratios: number[] = [];
for (const { format, what, output = 'jpeg', make } of costlyFiles.filter((file) => file.format.includes(part))) {
  const file = await make();
  const before = cpuTimeMs();
  await inspect(file);
  const pipeline = await pipelineFor(file, { width, format: output });
  const error = await runJob(file, pipeline).then(
    () => '',
    (cause) => String(cause),
  );
  const cpu = (cpuTimeMs() - before) / 1_000;
  const { seconds } = pipeline.estimate;
  ratios.push(cpu / seconds);
  console.log(
    `${format}: ${what}, ${(file.length / 1e6).toFixed(2)} MB: ${cpu.toFixed(1)} s of ${seconds.toFixed(1)} s ${error}`,
  );
}
const figures = {
  'inspection of a hostile file, CPU time at most': { value: Math.max(...rows.map(({ cpuMs }) => cpuMs)), unit: 'ms' },
  'memory beyond its own size at most': { value: Math.max(...rows.map(({ mb }) => mb)), unit: 'MB' },
  'job of the files that take decoders longest, CPU time compared with the estimate, at most': {
    ...{ value: Math.max(...ratios), atMost: goal, unit: 'times' },
  },
};
reportResults(['bombs', ...positionals].join(' '), compareGoals(figures));
