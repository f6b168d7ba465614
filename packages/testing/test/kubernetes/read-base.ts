import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { readManifests } from '../../../../infra/local/manifests/read-documents.ts';

const infra = fileURLToPath(new URL('../../../../infra', import.meta.url));
const overlay = path.join(infra, 'kubernetes/overlays/production');

/** The resources of the base and of all components. */
export const manifests = readManifests(path.join(infra, 'kubernetes')).map(({ manifest }) => manifest);

export type PodName = 'gateway' | 'worker' | 'dispatcher' | 'setup';

/** The pod of a deployment or job. Throws when there is none of this name. */
export function readPod(name: PodName): IPodSpec {
  const found = manifests.find(
    ({ kind, metadata }) => (kind === 'Deployment' || kind === 'Job') && metadata.name === name,
  ) as unknown as IDeployment | IJob | undefined;
  if (!found?.spec?.template.spec) throw new Error(`no pod ${name}`);
  return found.spec.template.spec;
}

/** The only container of a pod. */
export function readContainer(name: PodName) {
  const [container] = readPod(name).containers;
  if (!container) throw new Error(`no container in ${name}`);
  return container;
}

const parseEnv = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

/** The values of the production overlay. */
export const settingsFile = parseEnv(readFileSync(path.join(overlay, 'settings.env'), 'utf8'));
/** The secrets of the production overlay, all of them empty. */
export const secretsFile = parseEnv(readFileSync(path.join(overlay, 'secrets.env.example'), 'utf8'));

/** The environment of an image. */
export function readImageEnv(image: string): Record<string, string> {
  const text = readFileSync(path.join(infra, 'docker', `${image.replace(/^uprez-/, '')}.Dockerfile`), 'utf8');
  const words = [...text.matchAll(/^ENV (.*)$/gm)].at(-1)?.[1]?.split(' ') ?? [];
  return parseEnv(words.join('\n'));
}
