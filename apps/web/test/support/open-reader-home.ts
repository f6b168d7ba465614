import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inheritedEnv } from '@uprez/testing/config';
import { oldestNode } from '@uprez/testing/programs/node-programs';

const runFile = promisify(execFile);
const checkout = fileURLToPath(new URL('../../../..', import.meta.url));
const npx = fileURLToPath(new URL('npx.mjs', import.meta.url));

/** Stub of the assistant's command: starts the MCP server after `--` with empty input, so that it exits. */
const claude = `#!/bin/sh
while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
[ $# -eq 0 ] || { shift; exec "$@" </dev/null; }
`;

/**
 * Opens a home folder with a copy of the source code as `~/uprez`, as the documentation requires, and an empty project.
 * Commands can't reach a registry: `npx` runs programs from the checkout and rejects other versions.
 */
export async function openReaderHome() {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-reader-'));
  const project = path.join(home, 'project');
  const bin = path.join(home, 'bin');
  for (const folder of [project, bin, path.join(home, 'uprez/packages'), path.join(home, '.config/composer')])
    await fs.mkdir(folder, { recursive: true });
  for (const name of await fs.readdir(path.join(checkout, 'packages'))) {
    const [from, to] = [path.join(checkout, 'packages', name), path.join(home, 'uprez/packages', name)];
    // Building the Python SDK writes next to its sources, so it is copied.
    if (name === 'sdk-python')
      await fs.cp(from, to, { recursive: true, filter: (file) => !/\.egg-info|\/build$/.test(file) });
    else await fs.symlink(from, to);
  }
  await fs.writeFile(path.join(bin, 'npx'), `#!/bin/sh\nexec '${process.execPath}' '${npx}' "$@"\n`, { mode: 0o755 });
  await fs.symlink(oldestNode, path.join(bin, 'node'));
  // Uses Debian's Python, because it has setuptools, which pip would otherwise download. Another Python may be first in
  // PATH.
  await fs.symlink('/usr/bin/python3', path.join(bin, 'python3'));
  await fs.writeFile(path.join(bin, 'claude'), claude, { mode: 0o755 });
  const offline = JSON.stringify({ repositories: [{ 'packagist.org': false }] });
  await fs.writeFile(path.join(home, '.config/composer/config.json'), offline);
  const env = {
    ...inheritedEnv,
    HOME: home,
    UPREZ_CHECKOUT: checkout,
    PATH: [bin, path.join(home, '.local/bin'), inheritedEnv.PATH].join(path.delimiter),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    COMPOSER_HOME: path.join(home, '.config/composer'),
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_DISABLE_NETWORK: '1',
    PIP_NO_INDEX: '1',
    PIP_NO_BUILD_ISOLATION: '0',
    PYTHONPATH: '/usr/lib/python3/dist-packages',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    GOPROXY: 'off',
    GOFLAGS: '-mod=mod',
    GOCACHE: path.join(os.tmpdir(), 'uprez-sdk-cache/go'),
  };
  return {
    project,
    /** Runs commands in the project. Returns their output. Throws if one of them fails. */
    run: async (commands: string): Promise<string> => {
      const { stdout, stderr } = await runFile('sh', ['-e', '-c', commands], { cwd: project, env, timeout: 60_000 });
      return stdout + stderr;
    },
    close: () => fs.rm(home, { recursive: true, force: true }),
  };
}
