import { runStep } from './run.mjs';

/**
 * Builds packages from their sources; what has not changed comes from turbo's cache.
 * @param {string[] | 'all'} filters names of packages, as turbo's `--filter` takes them; an empty list builds nothing
 */
export async function build(filters = 'all') {
  if (filters.length === 0) return;
  const selection = filters === 'all' ? [] : filters.map((filter) => `--filter=${filter}`);
  await runStep('the build', 'turbo', [
    'run',
    'build',
    ...selection,
    '--output-logs=errors-only',
    '--log-order=grouped',
  ]);
}
