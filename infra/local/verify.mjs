// npm run verify: checks types, lint, format, import rules, unused code, spelling, terminology, the OpenAPI document, the
// manifests of Kubernetes and Compose, and the size of the web app. Prints one line per check, and the output of failed checks.
//   --built   everything is built already, and used meanwhile
import { parseArgs } from 'node:util';
import { capture, main } from './run.mjs';

/** Types are first: the promise rules of the linter and the import rules read the compiler's output. */
const types = [
  ['types', 'tsc', ['-b']],
  ['types of tests', 'tsc', ['-p', 'tsconfig.tests.json']],
];
const cache = 'node_modules/.cache';
const byContent = ['--cache-strategy', 'content'];
const checks = [
  ['lint and format', 'biome', ['check', '.']],
  [
    'import rules',
    'depcruise',
    [
      ...['--config', '.dependency-cruiser.mjs', '--cache', `${cache}/depcruise`, ...byContent],
      ...['apps', 'services', 'packages', 'infra', 'examples'],
    ],
  ],
  [
    'unused code',
    'knip',
    ['--include-entry-exports', '--no-config-hints', '--cache', '--cache-location', `${cache}/knip`],
  ],
  [
    'spelling',
    'cspell',
    [
      ...['lint', '--config=infra/local/language/cspell.json', '--no-progress', '--cache', ...byContent],
      ...['--cache-location', `${cache}/cspell.json`, '**'],
    ],
  ],
  ['terminology', 'node', ['infra/local/check-terms.mjs']],
  ['OpenAPI document', 'node', ['infra/local/check-openapi.mjs']],
  ['manifests', 'node', ['infra/local/check-manifests.ts']],
];
const { values } = parseArgs({ options: { built: { type: 'boolean', default: false } } });
const bundle = [
  ['web bundle', 'turbo', ['run', 'build', '--filter=@uprez/web', '--output-logs=errors-only', '--log-order=grouped']],
  ['size of the first load', 'size-limit', []],
].slice(values.built ? 1 : 0);

async function check([label, command, args]) {
  const start = performance.now();
  const { code, output } = await capture(command, args);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${label} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  for (const line of output.split('\n')) if (line.startsWith('skipped: ')) console.log(`       ${line}`);
  return { label, output, failed: code !== 0 };
}

await main(async () => {
  const results = [];
  for (const step of types) results.push(await check(step));
  results.push(...(await Promise.all(checks.map(check))));
  for (const step of bundle) results.push(await check(step));
  const failures = results.filter(({ failed }) => failed);
  for (const { label, output } of failures) console.error(`\n--- ${label} ---\n${output.trimEnd()}`);
  return failures.length > 0 ? 1 : 0;
});
