import { relative } from 'node:path';
import { formatFailure, writeReport } from './report.mjs';

/** Projects may have roots of their own. */
const nameOf = (module) => relative(module.project.vitest.config.root, module.moduleId);

function describeFailure(test, module) {
  const lines = test.result().errors.flatMap(({ message, diff }) => [message, diff].filter(Boolean));
  // Vitest joins the titles of a test and of its groups with spaces when it looks for a text.
  const title = test.fullName.replaceAll(' > ', ' ');
  return formatFailure({ file: nameOf(module), title, message: lines.join('\n') });
}

/** @returns {import('./report.mjs').FileTimes} */
function measure(module, tests) {
  const { collectDuration, duration } = module.diagnostic();
  const timed = tests.map((test) => ({ name: test.fullName, ms: test.diagnostic()?.duration ?? 0 }));
  const ms = collectDuration + duration;
  const setupMs = ms - timed.reduce((sum, test) => sum + test.ms, 0);
  const isPassed = module.ok() && tests.every((test) => test.result().state === 'passed');
  return { project: module.project.name, name: nameOf(module), isPassed, ms, setupMs, tests: timed };
}

/** Writes the report of a Vitest run. @public */
export default class VitestReporter {
  /** A full run takes hours, and may be stopped before its report. */
  onTestCaseResult(test) {
    if (test.result().state === 'failed') console.log(describeFailure(test, test.module));
  }

  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    const notes = errors.map(({ message }) => `failed outside of the tests: ${message}`);
    const files = [];
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) counts[test.result().state] += 1;
      const failed = tests.filter((test) => test.result().state === 'failed');
      notes.push(...failed.map((test) => describeFailure(test, module)));
      // A file that cannot be loaded, or a hook that throws, leaves no failed test.
      if (module.state() === 'failed' && failed.length === 0) {
        counts.failed += 1;
        notes.push(`failed outside of its tests: ${nameOf(module)}`);
      }
      files.push(measure(module, tests));
    }
    writeReport({ ...counts, notes, files });
  }
}
