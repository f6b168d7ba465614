// npm run test:containers: builds the images of infra/docker with buildah, and runs docker-compose.yml with podman. Needs
// root, and buildah, podman, runc, catatonit, netavark, aardvark-dns, iptables, and mmdebstrap of Debian. No Docker, no registry.
//   --storage FOLDER   images and containers, .data/containers by default. A second run reuses its layers
//   --no-build         tests the images of the run before
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildArguments, buildBase, buildStandIns } from './containers/build-base.ts';
import { checkConfinement } from './containers/check-confinement.ts';
import { checkImages } from './containers/check-images.ts';
import { checkJourney } from './containers/check-journey.ts';
import { expect, openChecks } from './containers/checks.ts';
import { must, openPodman } from './containers/podman.ts';
import { readCompose } from './containers/read-compose.ts';
import { startProject } from './containers/start-project.ts';
import { runService } from './containers/start-service.ts';

const rootDir = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    storage: { type: 'string', default: join(rootDir, '.data/containers') },
    'no-build': { type: 'boolean', default: false },
  },
});

const secret = () => randomBytes(24).toString('hex');
const names = ['POSTGRES_PASSWORD', 'MINIO_ROOT_PASSWORD', 'SESSION_SECRET', 'URL_SECRET', 'VAULT_SECRET'];
const compose = readCompose(join(rootDir, 'docker-compose.yml'), {
  ...Object.fromEntries(names.map((name) => [name, secret()])),
  JAIL: 'required',
});
const checks = openChecks();
const tools = openPodman(values.storage);
const { podman, buildah } = tools;
const name = `uprez-test-${process.pid}`;

async function build(): Promise<void> {
  await checks.check('the base images are made from packages of Debian', () => buildBase(tools));
  for (const { image, build: source } of Object.values(compose.services))
    if (source) {
      const file = join(rootDir, source.dockerfile);
      const args = buildArguments({ tag: image, file, context: rootDir });
      await checks.check(`${source.dockerfile} builds`, () => must(buildah, args).then(() => undefined));
    }
  const standIns = Object.entries(compose.services).filter(([, service]) => !service.build);
  const images = Object.fromEntries(standIns.map(([service, { image }]) => [service, image]));
  await checks.check('the stand-ins of the stores build', () => buildStandIns(tools, { rootDir, images }));
}

async function checkWrongSettings(): Promise<void> {
  const { gateway } = compose.services;
  if (!gateway) throw new Error('no gateway');
  const wrong = { DATABASE_URL: 'postgres', PORT: 'none', JAIL: 'maybe', SESSION_SECRET: 'short' };
  const { code, output } = await runService({ podman, name: 'none', rootDir }, gateway, wrong);
  expect(code !== 0, 'it started');
  for (const setting of Object.keys(wrong)) expect(output.includes(setting), `${setting} isn't named in:\n${output}`);
}

async function runCompose(): Promise<void> {
  await checks.check('wrong settings stop the start, and all of them are named', checkWrongSettings);
  const scale = { worker: 2 };
  const start = () => startProject({ podman, name, rootDir, compose, scale });
  const project = await checks.check('the services of docker-compose.yml start in order and are healthy', start);
  if (!project) return;
  try {
    await checkConfinement(project, checks);
    await checkJourney(project, checks, 'http://127.0.0.1:3000');
  } finally {
    await checks.check('all containers are removed', project.remove);
  }
}

if (process.getuid?.() !== 0 || !existsSync('/usr/bin/buildah') || !existsSync('/usr/bin/podman')) {
  console.error(
    'Run as root, after: apt-get install --no-install-recommends buildah podman runc catatonit netavark aardvark-dns iptables mmdebstrap uidmap',
  );
  process.exit(1);
}
if (!values['no-build']) await build();
await checkImages(podman, checks);
await runCompose();
process.exitCode = checks.end();
