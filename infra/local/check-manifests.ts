// Validates docker-compose.yml and the manifests of infra/kubernetes against the schemas of their API versions, without a
// cluster: every file on its own, and every overlay as Kustomize builds it, where this machine has Kustomize. Exit code 1
// when there is an error.
import { join } from 'node:path';
import { buildOverlay, findKustomize } from './manifests/build-overlay.ts';
import { type Manifest, readKustomizeFiles, readManifests } from './manifests/read-documents.ts';
import { validateCompose } from './manifests/validate-compose.ts';
import { validateManifest } from './manifests/validate-manifest.ts';

const rootDir = join(import.meta.dirname, '../..');
const folder = join(rootDir, 'infra/kubernetes');
// Kustomize merges the patches, so they are validated in the overlays.
const { overlays, patches } = readKustomizeFiles(folder);

const report = (where: string, manifest: Manifest) =>
  validateManifest(manifest).map((error) => `${where}, ${manifest.kind} ${manifest.metadata?.name}: ${error}`);

const errors = validateCompose(join(rootDir, 'docker-compose.yml')).map((error) => `docker-compose.yml: ${error}`);
for (const { file, manifest } of readManifests(folder)) if (!patches.has(file)) errors.push(...report(file, manifest));

const kustomize = findKustomize();
if (!kustomize) console.log('skipped: the overlays, which kubectl 1.24 or kustomize 4 could build');
else
  for (const overlay of overlays)
    for (const manifest of buildOverlay(kustomize, { rootDir, overlay })) errors.push(...report(overlay, manifest));

if (errors.length > 0) {
  console.error(errors.join('\n'));
  process.exitCode = 1;
}
