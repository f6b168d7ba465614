import { relative } from 'node:path';
import { writeReport } from './report.mjs';

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
    const times = new Map();
    for (const test of this.#suite.allTests()) {
      counts[outcomes[test.outcome()]] += 1;
      const name = relative(process.cwd(), test.location.file);
      const ms = test.results.reduce((total, { duration }) => total + duration, 0);
      times.set(name, (times.get(name) ?? 0) + ms);
    }
    writeReport({ ...counts, notes: this.#notes, files: [...times].map(([name, ms]) => ({ name, ms })) });
  }
}
