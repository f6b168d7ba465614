import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { permissions?: Record<string, string>; needs?: string; environment?: string; steps: Step[] };
type Workflow = { permissions: Record<string, string>; jobs: Record<string, Job> };

const folder = path.resolve(import.meta.dirname, '../../../.github/workflows');
const read = async (name: string): Promise<Workflow> => parse(await fs.readFile(path.join(folder, name), 'utf8'));
const names = (await fs.readdir(folder)).filter((name) => name.endsWith('.yml'));
const releases = names.filter((name) => name.startsWith('release-'));
const actionsOf = ({ steps }: Job) => steps.flatMap(({ uses }) => uses?.split('@')[0] ?? []);

/** What a publishing job may do besides reading: trusted publishing, or a tag of this repository. */
const publishing: Record<string, Record<string, string>> = {
  'release-action.yml': { contents: 'write' },
  'release-sdk-go.yml': {},
  'release-sdk-node.yml': { 'id-token': 'write' },
  'release-sdk-php.yml': {},
  'release-sdk-python.yml': { 'id-token': 'write' },
};

it('has the releases that this test describes', () => {
  expect(releases.sort()).toEqual(Object.keys(publishing));
});

it.each(names)('%s keeps no credentials in a checkout', async (name) => {
  const steps = Object.values((await read(name)).jobs).flatMap((job) => job.steps);
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.length).toBeGreaterThan(0);
  for (const checkout of checkouts) expect(checkout.with?.['persist-credentials']).toBe(false);
});

describe.each(releases)('%s', (name) => {
  it('builds with read access only, and publishes the artifact of that job', async () => {
    const { permissions, jobs } = await read(name);
    expect(permissions).toEqual({});
    expect(Object.keys(jobs)).toEqual(['build', 'publish']);
    const { build, publish } = jobs as { build: Job; publish: Job };
    expect([build.permissions, build.environment]).toEqual([{ contents: 'read' }, undefined]);
    expect(actionsOf(build)).toContain('actions/upload-artifact');
    expect([publish.needs, publish.permissions]).toEqual(['build', publishing[name]]);
    expect(actionsOf(publish)).toContain('actions/download-artifact');
  });

  it('runs no code of dependencies or of the repository where it publishes, and no secrets where it builds', async () => {
    const { jobs } = await read(name);
    const commands = (jobs.publish?.steps ?? []).map(({ run }) => run ?? '').join('\n');
    expect(commands).not.toMatch(/pnpm|npm (ci|install|test|run)|npx|pip|go (test|vet)|php /);
    expect(JSON.stringify(jobs.build)).not.toContain('secrets.');
  });
});
