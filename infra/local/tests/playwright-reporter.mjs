import { relative } from 'node:path';
import { formatFailure, writeReport } from './report.mjs';

const outcomes = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' };

/** Writes the report of a Playwright run. @public */
export default class PlaywrightReporter {
  #notes = [];
  #suite;

  printsToStdio() {
    return false;
  }

  onBegin(_config, suite) {
    this.#suite = suite;
  }

  onError({ message }) {
    this.#notes.push(`failed outside of the tests: ${message}`);
  }

  onEnd() {
    const counts = { passed: 0, failed: this.#notes.length, skipped: 0 };
    const notes = [...this.#notes];
    const times = new Map();
    for (const test of this.#suite.allTests()) {
      counts[outcomes[test.outcome()]] += 1;
      const name = relative(process.cwd(), test.location.file);
      if (test.outcome() === 'unexpected') {
        const failure = test.results.findLast(({ error }) => error);
        notes.push(formatFailure(`${name} > ${test.title}`, failure?.error.message));
      }
      const ms = test.results.reduce((total, { duration }) => total + duration, 0);
      times.set(name, (times.get(name) ?? 0) + ms);
    }
    writeReport({ ...counts, notes, files: [...times].map(([name, ms]) => ({ name, ms })) });
  }
}
