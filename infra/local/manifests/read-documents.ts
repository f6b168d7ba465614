import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
export const readManifests = (folder: string) => readYaml(folder).filter(({ file }) => !isKustomization(file));

const isKustomization = (file: string) => file.endsWith('kustomization.yaml');

function readYaml(folder: string): { file: string; manifest: Manifest }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) =>
      parseManifests(readFileSync(join(folder, file), 'utf8'), file).map((manifest) => ({ file, manifest })),
    );
}

type Kustomization = Manifest & { patches?: { path?: string }[] };

/**
 * Reads the files of Kustomize below a folder. Returns the folders that are applied, which are those outside of `base` and
 * `components`, and the files that contain only parts of resources.
 */
export function readKustomizeFiles(folder: string): { overlays: string[]; patches: Set<string> } {
  const files = readYaml(folder).filter(({ file }) => isKustomization(file));
  const overlays = files.map(({ file }) => dirname(file)).filter((name) => !/^(base|components)(\/|$)/.test(name));
  const patches = files.flatMap(({ file, manifest }) =>
    ((manifest as Kustomization).patches ?? []).flatMap(({ path }) => (path ? [join(dirname(file), path)] : [])),
  );
  return { overlays, patches: new Set(patches) };
}
