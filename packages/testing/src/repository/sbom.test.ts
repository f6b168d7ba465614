import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'uprez-sbom-'));
beforeAll(() => {
  execFileSync('node', ['infra/local/sbom.mjs', '--out', folder], { cwd: root });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

type Component = { name: string; group?: string; version: string; purl: string };
const read = (name: string) =>
  JSON.parse(readFileSync(path.join(folder, `${name}.cdx.json`), 'utf8')) as {
    bomFormat: string;
    specVersion: string;
    metadata: { component: Component };
    components: Component[];
  };
const namesOf = (name: string) => read(name).components.map(({ group, name }) => (group ? `${group}/${name}` : name));

it.each([
  ['gateway', ['fastify', 'kysely', 'sharp', '@modelcontextprotocol/sdk']],
  ['worker', ['onnxruntime-node', 'sharp', 'bullmq']],
  ['dispatcher', ['nodemailer', 'stripe']],
])('the bill of materials of the %s lists what it runs, and no tools of development', (name, expected) => {
  const bill = read(name);
  expect([bill.bomFormat, bill.specVersion]).toEqual(['CycloneDX', '1.7']);
  expect(bill.metadata.component.purl).toMatch(new RegExp(`^pkg:npm/%40uprez/${name}@`));
  const names = namesOf(name);
  expect(names).toEqual(expect.arrayContaining(expected));
  expect(names.filter((one) => ['vitest', 'typescript', '@biomejs/biome', 'turbo', 's3rver'].includes(one))).toEqual(
    [],
  );
});

it('names the versions of the lockfile', () => {
  const lockfile = readFileSync(path.join(root, 'pnpm-lock.yaml'), 'utf8');
  const foreign = read('gateway').components.filter(({ group }) => group !== '@uprez');
  const missing = foreign.filter(({ group, name, version }) => {
    const full = group ? `${group}/${name}` : name;
    return !lockfile.includes(`${full}@${version}`);
  });
  expect(missing).toEqual([]);
});
