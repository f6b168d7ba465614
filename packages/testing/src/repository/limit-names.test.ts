import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { limitNames, rateLimitName } from '@uprez/contracts/policy/limit-names';
import { type RateClass, rateLimits } from '@uprez/contracts/policy/rate-limits';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** Files that name limits without counting them. */
const descriptions = /\.test\.ts$|policy\/limit-names\.ts$|contracts\/src\/docs\//;
const patterns = ['packages/*/src/*.ts', 'services/*/src/*.ts'];
const source = execFileSync('git', ['ls-files', '--cached', ...patterns], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !descriptions.test(file))
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');

it.each(limitNames)('%s is counted by the code', (name) => {
  const classes = Object.keys(rateLimits) as RateClass[];
  expect(classes.map(rateLimitName).includes(name as never) || source.includes(`'${name}'`)).toBe(true);
});
