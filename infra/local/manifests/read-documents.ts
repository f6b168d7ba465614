import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A resource of Kubernetes or a file of Kustomize, as its YAML contains it. */
export type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; [field: string]: unknown };

/** The documents of a YAML text. Throws when it isn't valid, or one of them has no kind. */
export function parseManifests(text: string, file: string): Manifest[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`${file}: ${error.message}`);
    const manifest = document.toJS() as Partial<Manifest> | null;
    if (!manifest?.apiVersion || !manifest.kind) throw new Error(`${file}: a document has no apiVersion or no kind`);
    return manifest as Manifest;
  });
}

/** The resources in the YAML files below a folder, by file, without those of Kustomize itself. */
export function readManifests(folder: string): { file: string; manifest: Manifest }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
    .sort()
    .flatMap((file) =>
      parseManifests(readFileSync(join(folder, file), 'utf8'), file).map((manifest) => ({ file, manifest })),
    );
}
