// Validates docker-compose.yml and the manifests of infra/kubernetes against the schemas of their API versions, without a
// cluster: every file on its own, and every overlay as Kustomize builds it, where this machine has Kustomize. Exit code 1
// when there is an error.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Manifest, parseManifests, readKustomizeFiles, readManifests } from './manifests/read-documents.ts';
import { validateCompose } from './manifests/validate-compose.ts';
import { validateManifest } from './manifests/validate-manifest.ts';

const rootDir = join(import.meta.dirname, '../..');
const folder = join(rootDir, 'infra/kubernetes');
// Kustomize merges the patches, so they are validated in the overlays.
const { overlays, patches } = readKustomizeFiles(folder);

/** Components of Kustomize need version 3.7. The kubectl of Debian 12 contains 2.0. */
const programs: readonly (readonly [string, ...string[]])[] = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
];

/** The command that builds overlays here, if this machine has one that is new enough. */
function findKustomize(): readonly [string, ...string[]] | undefined {
  return programs.find(([program, command = '']) => {
    const { stdout, status } = spawnSync(program, command === 'build' ? ['version'] : ['version', '--client'], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    return status === 0 && /\bv[4-9]\.\d+\.\d+/.test(stdout);
  });
}

/** Builds an overlay as an operator does, with the secrets of the example. Throws the error of Kustomize. */
function buildOverlay([program, ...args]: readonly [string, ...string[]], overlay: string): Manifest[] {
  const copy = mkdtempSync(join(tmpdir(), 'uprez-manifests-'));
  try {
    for (const name of ['docker', 'kubernetes'])
      cpSync(join(rootDir, 'infra', name), join(copy, name), { recursive: true });
    const production = join(copy, 'kubernetes/overlays/production');
    writeFileSync(join(production, 'secrets.env'), readFileSync(join(production, 'secrets.env.example')));
    const { stdout, stderr, status, error } = spawnSync(program, [...args, join(copy, 'kubernetes', overlay)], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (status !== 0) throw new Error(`${overlay}: ${error ? error.message : stderr}`);
    return parseManifests(stdout, overlay);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const report = (where: string, manifest: Manifest) =>
  validateManifest(manifest).map((error) => `${where}, ${manifest.kind} ${manifest.metadata?.name}: ${error}`);

const errors = validateCompose(join(rootDir, 'docker-compose.yml')).map((error) => `docker-compose.yml: ${error}`);
for (const { file, manifest } of readManifests(folder)) if (!patches.has(file)) errors.push(...report(file, manifest));

const kustomize = findKustomize();
if (!kustomize) console.log('skipped: the overlays, which kubectl 1.24 or kustomize 4 could build');
else
  for (const overlay of overlays)
    for (const manifest of buildOverlay(kustomize, overlay)) errors.push(...report(overlay, manifest));

if (errors.length > 0) {
  console.error(errors.join('\n'));
  process.exitCode = 1;
}
