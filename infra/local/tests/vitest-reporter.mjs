import { writeReport } from './report.mjs';

/** Writes the report of a Vitest run. @public */
export default class VitestReporter {
  onTestRunEnd(modules, errors) {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    const notes = errors.map(({ message }) => `failed outside of the tests: ${message}`);
    const files = [];
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      for (const state of states) counts[state] += 1;
      // A file that cannot be loaded, or a hook that throws, leaves no failed test.
      if (module.state() === 'failed' && !states.includes('failed')) {
        counts.failed += 1;
        notes.push(`failed outside of its tests: ${module.relativeModuleId}`);
      }
      const { collectDuration, duration } = module.diagnostic();
      files.push({ name: module.relativeModuleId, ms: collectDuration + duration });
    }
    writeReport({ ...counts, notes, files });
  }
}
