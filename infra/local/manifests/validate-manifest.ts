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
import { findUnread } from './find-unread.ts';
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
