import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { DaemonSet } from 'kubernetes-models/apps/v1/DaemonSet';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import type { Manifest } from './read-documents.ts';

/** The JSON schemas of the kinds that we use, compiled: of Kubernetes 1.32, and of KEDA 2.10. */
const models = [
  ConfigMap,
  DaemonSet,
  Deployment,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Secret,
  Service,
  ServiceAccount,
];

/** Returns what is wrong with a resource: violations of its schema, or else fields that its schema doesn't have. */
export function validateManifest(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const model = models.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  if (!model) return [`there is no schema of ${apiVersion} ${kind} here`];
  try {
    return findUnread(manifest, (seen) => model.prototype.validate.call(seen)).map((path) => `unknown field ${path}`);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Returns the paths of the fields in a value that `read` never looks at. Compiled schemas ignore fields that they don't know,
 * as Kubernetes does, so a misspelled one would pass.
 */
function findUnread<Value extends object>(value: Value, read: (value: Value) => void): string[] {
  const unread = new Set<string>();
  read(watch(value, '', unread));
  return [...unread];
}

function watch<Value extends object>(value: Value, path: string, unread: Set<string>): Value {
  const pathOf = (key: string) => (path === '' ? key : `${path}.${key}`);
  for (const key of Object.keys(value)) unread.add(pathOf(key));
  const children = new Map<string, object>();
  return new Proxy(value, {
    get: (target, key, receiver) => {
      const child: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return child;
      unread.delete(pathOf(key));
      if (typeof child !== 'object' || child === null) return child;
      const watched = children.get(key) ?? watch(child, pathOf(key), unread);
      children.set(key, watched);
      return watched;
    },
  });
}
