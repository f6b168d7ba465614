import fs from 'node:fs/promises';
import path from 'node:path';
import { fileFixture } from '@uprez/testing/fixtures';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { beforeAll, describe, expect, it } from 'vitest';
import { openInstallFolder } from '../support/install-folder.ts';
import { openJobServer } from '../support/open-job-server.ts';
import { runIn } from '../support/sdks.ts';

const usage = `
import asyncio, importlib.metadata, importlib.resources, os
from uprez import AsyncUprez, Uprez

async def main():
    async with AsyncUprez("key", base_url=os.environ["URL"]) as uprez:
        job = await (await uprez.process(b"async image", filename="a.png", scale=2)).wait_for()
        async with job.stream() as stream:
            return b"".join([chunk async for chunk in stream])

job = Uprez("key", base_url=os.environ["URL"]).process(b"image", filename="a.png", scale=2).wait_for()
assert importlib.resources.files("uprez").joinpath("py.typed").is_file()
print(importlib.metadata.version("uprez"), job.result(), asyncio.run(main()))
`;

describe.skipIf(isLeftOut('pythonBuild'))('the Python package', () => {
  const server = fileFixture(openJobServer);
  const folder = fileFixture(openInstallFolder);
  const run = (command: readonly string[]) => runIn('python', command, { cwd: folder.root, env: { URL: server.url } });
  let built: string[] = [];

  beforeAll(async () => {
    const source = await folder.copy('python');
    await run(['/usr/bin/python3', '-m', 'build', '--no-isolation', '--outdir', 'built', source]);
    built = (await fs.readdir(path.join(folder.root, 'built'))).sort();
    await folder.write({ 'use.py': usage });
  });

  it('is built as a wheel and as sources, with one version', async () => {
    const version = await run([
      '/usr/bin/python3',
      '-c',
      `exec(open('package/src/uprez/_version.py').read()); print(__version__)`,
    ]);
    const name = `uprez-${version.trim()}`;
    expect(built).toEqual([`${name}-py3-none-any.whl`, `${name}.tar.gz`]);
    const sources = await run(['tar', '-tf', `built/${name}.tar.gz`]);
    for (const file of ['CHANGELOG.md', 'LICENSE', 'README.md', 'src/uprez/aio/client.py'])
      expect(sources).toContain(file);
  });

  it.each([
    { ending: '.whl', flags: [] },
    // Building from sources needs setuptools, which the environment gets from the system.
    { ending: '.tar.gz', flags: ['--system-site-packages'] },
  ])('is installed from its $ending into a virtual environment, and runs', async ({ ending, flags }) => {
    const env = `env${ending}`;
    await run(['/usr/bin/python3', '-m', 'venv', '--without-pip', ...flags, env]);
    const file = `built/${built.find((name) => name.endsWith(ending))}`;
    const pip = ['/usr/bin/python3', '-m', 'pip', '--python', env, 'install', '--quiet'];
    await run([...pip, '--no-index', '--no-build-isolation', file]);
    expect(await run([`${env}/bin/python`, 'use.py'])).toMatch(/^\d+\.\d+\.\d+ b'image' b'async image'\n$/);
  });
});
