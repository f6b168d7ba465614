import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = await mkdtemp(path.join(tmpdir(), 'uprez-suites-'));
afterAll(() => rm(folder, { recursive: true }));
await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
const write = async (name: string, text: string) => {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
};

/** Evaluates an expression with the modules of suites in the repository of the test. */
const evaluate = (expression: string) =>
  JSON.parse(
    execFileSync(
      'node',
      [
        '--input-type=module',
        '--eval',
        `const { readSuites, recordSuites } = await import('./infra/local/tests/suites.mjs');
        console.log(JSON.stringify(${expression}));`,
      ],
      { cwd: folder, encoding: 'utf8' },
    ),
  );
const stateOf = (name: string): { tests: string[]; isUnchanged: boolean } =>
  evaluate(`readSuites().find(({ name }) => name === '${name}')`);

const test = 'packages/models/test/model.test.ts';
const record = (isPassed: boolean) =>
  evaluate(`recordSuites(readSuites(), [{ name: '${test}', isPassed: ${isPassed} }]) ?? true`);

it('leaves out the tests of a suite until something that they import, start, or read has changed', async () => {
  for (const name of ['infra/local/run.mjs', 'infra/local/tests/suites.mjs', 'infra/local/tests/list-imports.mjs'])
    await write(name, readFileSync(path.join(root, name), 'utf8'));
  await write(test, "import { size } from '@uprez/contracts/policy/size';\nimport './support.ts';\n");
  await write('packages/models/test/support.ts', '');
  await write('packages/models/model.bin', 'weights');
  await write('packages/contracts/src/policy/size.ts', "export { size } from './deep.ts';\n");
  await write('packages/contracts/src/policy/deep.ts', 'export const size = 1;\n');
  await write('packages/contracts/src/policy/other.ts', 'export const other = 1;\n');
  await write('pnpm-lock.yaml', 'one');
  await write('.gitignore', 'node_modules\n');
  git('init');
  expect(stateOf('models')).toMatchObject({ tests: [test], isUnchanged: false });
  record(false);
  expect(stateOf('models').isUnchanged).toBe(false);
  record(true);
  expect(stateOf('models').isUnchanged).toBe(true);

  const changed = ['packages/contracts/src/policy/deep.ts', 'packages/models/test/support.ts', test];
  for (const name of [...changed, 'packages/models/model.bin', 'packages/models/new.txt', 'pnpm-lock.yaml']) {
    await write(name, name === test ? "import './support.ts';\n" : 'export const changed = 1;\n');
    expect([name, stateOf('models').isUnchanged]).toEqual([name, false]);
    record(true);
  }
  await write('packages/contracts/src/policy/other.ts', 'export const changed = 1;\n');
  await write('packages/models/test/support.ts', '// Only a comment.\nexport  const changed = 1;\n');
  expect(stateOf('models').isUnchanged).toBe(true);
});

it('depends on the sources of compiled files, whether they have been built or not', async () => {
  await write(test, "import '../../contracts/dist/policy/built.js';\n");
  await write('packages/contracts/src/policy/built.ts', '');
  record(true);
  await write('packages/contracts/dist/policy/built.js', '// built\n');
  expect(stateOf('models').isUnchanged).toBe(true);
  await write('packages/contracts/src/policy/built.ts', 'export const changed = 1;\n');
  expect(stateOf('models').isUnchanged).toBe(false);
});

it('depends on the sources of a folder that it names, and not on the tests of others', async () => {
  const killed = 'services/worker/test/killed.test.ts';
  await write(killed, '');
  await write('packages/db/src/table.ts', '');
  evaluate(`recordSuites(readSuites(), [{ name: '${killed}', isPassed: true }]) ?? true`);
  expect(stateOf('failures')).toMatchObject({ tests: [killed], isUnchanged: true });
  await write('packages/db/src/table.test.ts', 'export const changed = 1;\n');
  await write('packages/db/test/table.test.ts', 'export const changed = 1;\n');
  expect(stateOf('failures').isUnchanged).toBe(true);
  await write('packages/db/src/table.ts', 'export const changed = 1;\n');
  expect(stateOf('failures').isUnchanged).toBe(false);
});

it('records no suite of which a test was not run', async () => {
  await write('packages/models/test/second.test.ts', '');
  expect(stateOf('models').isUnchanged).toBe(false);
  record(true);
  expect(stateOf('models').isUnchanged).toBe(false);
});
