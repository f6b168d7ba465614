import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cpuTimeMs } from '@uprez/runtime/cpu-time';
import { inspect } from '../src/inspect/inspect.ts';
import { bombs } from '../test/hostile/bombs.ts';
import { costlyFiles } from '../test/hostile/costly/costly-files.ts';
import { structureBombs } from '../test/hostile/structure-bombs.ts';
import { isMessage, startChild } from '../test/support/child-process.ts';
import { pipelineFor, runJob } from '../test/support/run-job.ts';

/**
 * Inspects every file of `test/hostile` in the inspecting child, and prints the wall time, the CPU time, and the memory beyond
 * that before and the file itself. Then runs jobs with the files that take decoders longest, and compares the CPU time with the
 * estimate. Optional argument: a part of the names. Linux only.
 */
const [part = ''] = process.argv.slice(2);
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
console.log(cpus()[0]?.model);
console.table(rows.toSorted((a, b) => b.cpuMs - a.cpuMs));

/** The smallest result, so that hardly anything but decoding counts. */
const width = 64;
const goal = 3;
const costs: { file: string; mb: string; estimate: string; cpu: string; ratio: string; error: string }[] = [];
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
  costs.push({
    ...{ file: `${format}: ${what}`, mb: (file.length / 1e6).toFixed(2), error },
    ...{ estimate: seconds.toFixed(1), cpu: cpu.toFixed(1), ratio: (cpu / seconds).toFixed(1) },
  });
  console.log(costs.at(-1));
}
console.table(costs);
console.log(`goal: at most ${goal} times the estimate`);
