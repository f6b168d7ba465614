import { existsSync, readFileSync } from 'node:fs';

/**
 * Counts the tests in vitest's JSON report. A file that failed outside its tests (it could not be loaded, a hook threw)
 * and a run that failed without any failed test each count as one failure, so nothing broken looks green.
 * @param {string} reportFile
 * @param {number} exitCode vitest's own
 */
export function countTests(reportFile, exitCode) {
  if (!existsSync(reportFile)) {
    return { passed: 0, failed: 1, skipped: 0, notes: [`vitest ended with code ${exitCode} and without a report`] };
  }
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  const notes = report.testResults
    .filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed))
    .map(({ name }) => `failed outside its tests, see above: ${name}`);
  const counted = report.numFailedTests + notes.length;
  if (counted === 0 && exitCode !== 0) notes.push(`vitest ended with code ${exitCode} although no test failed`);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + notes.length,
    skipped: report.numPendingTests + report.numTodoTests,
    notes,
  };
}

function isFailed({ status }) {
  return status === 'failed';
}
