import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseManifests } from '../../../../infra/local/manifests/read-documents.ts';
import { validateCompose } from '../../../../infra/local/manifests/validate-compose.ts';
import { validateManifest } from '../../../../infra/local/manifests/validate-manifest.ts';

const budget = (spec: string) => `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: worker }
spec: ${spec}`;
const scaled = (trigger: string) => `
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: { name: worker }
spec: { scaleTargetRef: { name: worker }, triggers: [${trigger}] }`;
const validate = (text: string) => parseManifests(text, 'test.yaml').flatMap(validateManifest);

describe('validateManifest', () => {
  it('accepts valid resources', () => {
    const valid = `${budget('{ maxUnavailable: 1 }')}\n---${scaled('{ type: prometheus, metadata: { query: up } }')}`;
    expect(validate(valid)).toEqual([]);
  });

  it.each([
    ['an unknown field', budget('{ unavailable: 1 }'), /^unknown field spec\.unavailable$/],
    ['an unknown field in a map', budget('{ selector: { matchLabel: {} } }'), /^unknown field spec\.selector\.matchL/],
    ['a value of another type', budget('{ unhealthyPodEvictionPolicy: 3 }'), /unhealthyPodEvictionPolicy.* string/],
    ['a missing field of a custom resource', scaled('{ type: prometheus }'), /metadata/],
    ['an unknown field of a custom resource', scaled('{ type: p, metadata: {}, metricKind: Value }'), /metricKind$/],
    ['an unknown kind', 'apiVersion: apps/v1\nkind: Deploy\nmetadata: { name: a }', /no schema of apps\/v1 Deploy/],
    ['a former version', 'apiVersion: policy/v1beta1\nkind: PodDisruptionBudget', /no schema of policy\/v1beta1/],
  ])('rejects %s', (_name, text, error) => {
    expect(validate(text).join('\n')).toMatch(error);
  });
});

describe('validateCompose', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'uprez-compose-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const check = (text: string) => {
    const file = path.join(folder, 'compose.yml');
    writeFileSync(file, text);
    return validateCompose(file).join('\n');
  };

  it('accepts merged maps and the name of a project', () => {
    expect(check('name: uprez\nx-a: &a { restart: always }\nservices: { a: { <<: *a, image: a } }')).toBe('');
  });

  it.each([
    ['an unknown field', 'services: { a: { imageName: a } }', /imageName/],
    ['an unknown condition', 'services: { a: { image: a, depends_on: { b: { condition: ready } } } }', /condition/],
  ])('rejects %s', (_name, text, error) => expect(check(text)).toMatch(error));
});
