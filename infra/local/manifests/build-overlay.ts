import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Manifest, parseManifests } from './read-documents.ts';

/** Components of Kustomize need version 3.7. The kubectl of Debian 12 contains 2.0. */
const programs: readonly (readonly [string, ...string[]])[] = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
];

/** The command that builds overlays here, if this machine has one that is new enough. */
export function findKustomize(): readonly [string, ...string[]] | undefined {
  return programs.find(([program, command = '']) => {
    const { stdout, status } = spawnSync(program, command === 'build' ? ['version'] : ['version', '--client'], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    return status === 0 && /\bv[4-9]\.\d+\.\d+/.test(stdout);
  });
}

/** Builds an overlay as an operator does, with the secrets of the example. Throws the error of Kustomize. */
export function buildOverlay(
  [program, ...args]: readonly [string, ...string[]],
  { rootDir, overlay }: { rootDir: string; overlay: string },
): Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-manifests-'));
  try {
    for (const name of ['docker', 'kubernetes'])
      cpSync(join(rootDir, 'infra', name), join(folder, name), { recursive: true });
    const production = join(folder, 'kubernetes/overlays/production');
    writeFileSync(join(production, 'secrets.env'), readFileSync(join(production, 'secrets.env.example')));
    const { stdout, stderr, status, error } = spawnSync(program, [...args, join(folder, 'kubernetes', overlay)], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (status !== 0) throw new Error(`${overlay}: ${error ? error.message : stderr}`);
    return parseManifests(stdout, overlay);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
