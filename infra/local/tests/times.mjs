import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { formatTime } from './report.mjs';

const SLOWEST = 20;
const sum = (values) => values.reduce((total, value) => total + value, 0);
const slowest = (timed) => timed.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);

/** Returns a function that measures a named phase of the command, and the times so far. */
export function openTimes() {
  const phases = [];
  return {
    phases,
    /** @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>} */
    measure: async (name, work) => {
      const start = performance.now();
      try {
        return await work();
      } finally {
        phases.push({ name, ms: performance.now() - start });
      }
    },
  };
}

/**
 * Formats where the time of a test run went. `countsFile` has one line with a name for each thing that tests opened.
 * @param {{ phases: { name: string, ms: number }[], files: import('./report.mjs').FileTimes[], countsFile: string }} run
 */
export function formatTimes({ phases, files, countsFile }) {
  const projects = [...new Set(files.map(({ project }) => project))].map((project) => {
    const own = files.filter((file) => file.project === project);
    const [ms, setupMs] = [sum(own.map((file) => file.ms)), sum(own.map((file) => file.setupMs))];
    const tests = sum(own.map((file) => file.tests.length));
    return { ms, name: `${project}: ${own.length} files, ${tests} tests, setup ${(setupMs / 1000).toFixed(1)} s` };
  });
  const byFolder = new Map();
  for (const { name, ms } of files) byFolder.set(dirname(name), (byFolder.get(dirname(name)) ?? 0) + ms);
  const folders = [...byFolder].map(([name, ms]) => ({ name, ms }));
  const tests = files.flatMap((file) => file.tests.map(({ name, ms }) => ({ ms, name: `${file.name} > ${name}` })));
  const byFile = files.map(({ name, ms, setupMs }) => ({
    ms,
    name: `${name}, setup ${(setupMs / 1000).toFixed(1)} s`,
  }));
  return [
    ...formatTable('phases', phases),
    ...formatTable('projects, time of all workers', projects),
    ...formatTable('slowest folders', slowest(folders)),
    ...formatTable('slowest files', slowest(byFile)),
    ...formatTable('slowest tests', slowest(tests)),
    '\nopened by tests',
    ...countOpened(countsFile).map(([name, count]) => `${String(count).padStart(7)}    ${name}`),
  ].join('\n');
}

const formatTable = (title, timed) => [`\n${title}`, ...timed.map(({ name, ms }) => formatTime(ms, name))];

function countOpened(file) {
  const counts = new Map();
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  for (const name of lines) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts];
}
