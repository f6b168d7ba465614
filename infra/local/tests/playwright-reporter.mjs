import { relative } from 'node:path';
import { formatFailure, writeReport } from './report.mjs';

const outcomes = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' };

/** All errors and where they happened. The first one of a test that reaches its limit doesn't say what it waited for. */
const describeErrors = ({ errors }) =>
  errors
    .flatMap(({ message, location }) => [
      message,
      ...(location ? [`at ${relative(process.cwd(), location.file)}:${location.line}`] : []),
    ])
    .join('\n');

const sum = (steps) => steps.reduce((total, { duration }) => total + duration, 0);

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
    const files = new Map();
    for (const test of this.#suite.allTests()) {
      counts[outcomes[test.outcome()]] += 1;
      const name = relative(process.cwd(), test.location.file);
      if (test.outcome() === 'unexpected') {
        const failed = test.results.findLast(({ errors }) => errors.length > 0);
        notes.push(formatFailure({ file: name, title: test.title, message: failed && describeErrors(failed) }));
      }
      const file = files.get(name) ?? { project: 'browser', name, isPassed: true, ms: 0, setupMs: 0, tests: [] };
      file.isPassed &&= test.outcome() === 'expected';
      for (const { duration, steps } of test.results) {
        file.ms += duration;
        file.setupMs += sum(steps.filter(({ category }) => category === 'hook'));
        file.tests.push({ name: test.title, ms: duration });
      }
      files.set(name, file);
    }
    writeReport({ ...counts, notes, files: [...files.values()] });
  }
}
