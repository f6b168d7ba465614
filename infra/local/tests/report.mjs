import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * The time of a file: in all, and of loading it and of its hooks. `isPassed`: all its tests passed, and none was skipped.
 * @typedef {{ name: string, ms: number }} Timed
 * @typedef {Timed & { project: string, isPassed: boolean, setupMs: number, tests: Timed[] }} FileTimes
 */

/**
 * What a test runner reports: counts of tests, what failed, and the time of each file.
 * @typedef {{ passed: number, failed: number, skipped: number, notes: string[], files: FileTimes[] }} Report
 */

const SLOWEST = 10;

/** Writes a report where `npm test` reads it. @param {Report} report */
export function writeReport(report) {
  if (process.env.UPREZ_TEST_REPORT) writeFileSync(process.env.UPREZ_TEST_REPORT, JSON.stringify(report));
}

/**
 * Reads the report of a runner that ended with `exitCode`. A missing report, and a run that failed without a failed
 * test, count as one failure.
 * @returns {Report}
 */
export function readReport(file, runner, exitCode) {
  if (!existsSync(file)) return makeFailure(`${runner} ended with code ${exitCode} and without a report`);
  const report = JSON.parse(readFileSync(file, 'utf8'));
  if (report.failed > 0 || exitCode === 0) return report;
  return addReports(report, makeFailure(`${runner} ended with code ${exitCode} although no test failed`));
}

/** @returns {Report} */
export function makeFailure(note) {
  return { passed: 0, failed: 1, skipped: 0, notes: [note], files: [] };
}

/** @returns {Report} */
export function addReports(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    notes: [...a.notes, ...b.notes],
    files: [...a.files, ...b.files],
  };
}

const MAX_MESSAGE_LINES = 24;
const MAX_NAME_LENGTH = 160;

/** Formats a failed test as a note: its name, the beginning of its error without terminal colors, and how to repeat it. */
export function formatFailure({ file, title, message = '' }) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, MAX_MESSAGE_LINES);
  const repeat = `npm test -- ${file} -t '${title.replaceAll("'", `'\\''`)}'`;
  return [`FAILED ${file} > ${title}`, ...[...lines, repeat].map((line) => `    ${line}`)].join('\n');
}

/** Formats a time as a row of a table. Titles of generated tests may be long. */
export const formatTime = (ms, name) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name.slice(0, MAX_NAME_LENGTH)}`;

/** Formats the slowest files as a table, then what failed; the last line is "N passed, N failed". */
export function formatReport({ passed, failed, skipped, notes, files }) {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const rows = slowest.map(({ name, ms }) => formatTime(ms, name));
  const table = rows.length > 1 ? [`\nslowest of ${files.length} test files`, ...rows, ''] : [];
  const summary = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return [...table, ...notes, summary].join('\n');
}
