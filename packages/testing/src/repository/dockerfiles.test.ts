import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = path.join(root, 'infra/docker');
const [first = '', ...others] = readdirSync(folder).filter((file) => file.endsWith('.Dockerfile'));

/** The end of the steps that all images share. */
const lastStep = 'node infra/local/sbom.mjs --out sbom\n';

function readSharedSteps(file: string): string {
  const [shared = '', rest] = readFileSync(path.join(folder, file), 'utf8').split(lastStep);
  expect(rest, `infra/docker/${file} has no line that ends with "${lastStep.trim()}"`).toBeDefined();
  return shared;
}

it.each(others)('%s starts with the steps of the other images, so they are built once', (file) => {
  const advice = `Make infra/docker/${file} and infra/docker/${first} equal up to "${lastStep.trim()}"`;
  expect(readSharedSteps(file), advice).toBe(readSharedSteps(first));
});

it('every command runs the version of pnpm in package.json', () => {
  const { devEngines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const version: string = devEngines.packageManager.version;
  const pattern = 'pnpm@[0-9]+[.][0-9]+[.][0-9]+';
  const found = execFileSync('git', ['grep', '-noE', pattern, '--', '.', ':!pnpm-lock.yaml'], {
    cwd: root,
    encoding: 'utf8',
  });
  const lines = found.trim().split('\n');
  const advice = `Write pnpm@${version}, or change devEngines.packageManager in package.json`;
  expect(
    lines.filter((line) => !line.endsWith(`:pnpm@${version}`)),
    advice,
  ).toEqual([]);
  expect(lines.filter((line) => line.startsWith('infra/docker/')).length).toBeGreaterThan(others.length);
});
