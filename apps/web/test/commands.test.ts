import fs from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import { fileFixture } from '@uprez/testing/fixtures';
import { isLeftOut, type Toolchain } from '@uprez/testing/programs/toolchains';
import { beforeAll, describe, expect, it } from 'vitest';
import { openReaderHome } from './support/open-reader-home.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const packagesDir = path.join(root, '../../packages');
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };
const toText = (markup: string) =>
  markup.replace(/<[^>]+>/g, '').replace(/&(amp|lt|gt|quot|#x27);/g, (_, name) => entities[name] ?? '');

/** Panels with code of the rendered documentation, by their names. */
let panels: Map<string, string>;
beforeAll(async () => {
  // By its URL, because its types need those of Vite's modules, which tests don't have.
  const { href } = new URL('../vite-prerender.ts', import.meta.url);
  const { renderDocumentation }: { renderDocumentation: (root: string) => Promise<string> } = await import(href);
  const html = await renderDocumentation(root);
  const figures = [...html.matchAll(/<figure aria-label="([^"]+)"[\s\S]*?<pre\b[^>]*>([\s\S]*?)<\/pre>/g)];
  panels = new Map(figures.map(([, name = '', code = '']) => [toText(name), toText(code)]));
});
const panel = (name: string) => {
  const code = panels.get(name);
  if (code === undefined) throw new Error(`The documentation has no "${name}".`);
  return code;
};
const readme = (name: string) => fs.readFile(path.join(packagesDir, name, 'README.md'), 'utf8');
/** The commands of a chapter of a README. */
async function commandsOf(name: string, chapter = 'Installation'): Promise<string> {
  const [, text = ''] = (await readme(name)).split(new RegExp(`^## ${chapter}$`, 'm'));
  const [, code = ''] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
  return code;
}

type Install = {
  tool: Toolchain | 'composer' | 'pythonBuild';
  prepare?: string;
  use: string;
  docs: string[];
  readme: string;
};
const go = 'package main\nimport uprez "github.com/uprez/uprez-go"\nfunc main() { println(uprez.Completed) }\n';
const installs: Record<string, Install> = {
  'sdk-node': {
    tool: 'node',
    use: `node --input-type=module -e "import { Uprez } from '@uprez/sdk-node'; console.log('used', Uprez.name)"`,
    docs: ['Install, Node.js'],
    readme: 'Installation',
  },
  'sdk-python': {
    tool: 'pythonBuild',
    use: `.venv/bin/python -c "import uprez; print('used', uprez.Uprez.__name__)"`,
    docs: ['Install, Python'],
    readme: 'Installation',
  },
  'sdk-php': {
    tool: 'composer',
    prepare: 'composer init --no-interaction --name=example/site',
    use: `php -r "require 'vendor/autoload.php'; echo 'used ', (new ReflectionClass('Uprez\\\\\\Uprez'))->getName();"`,
    docs: ['Install, PHP'],
    readme: 'Installation',
  },
  'sdk-go': {
    tool: 'go',
    prepare: 'go mod init example.com/site',
    use: `printf '%s' '${go}' > main.go && go run . && echo used`,
    docs: ['Install, Go'],
    readme: 'Installation',
  },
  cli: { tool: 'node', use: 'uprez --help && echo used', docs: ['Install, Command line'], readme: 'Installation' },
  'github-action': {
    tool: 'node',
    prepare: 'git init --quiet',
    use: 'INPUT_MODE=check node .github/actions/uprez/dist/index.mjs | grep api-key && git ls-files --error-unmatch .github/actions/uprez/dist/index.mjs && echo used',
    docs: [],
    readme: 'Installation',
  },
  mcp: {
    tool: 'node',
    prepare: 'mkdir -p ~/images',
    use: 'echo used',
    docs: ['Use files on your computer, Assistants (MCP)'],
    readme: 'On your computer',
  },
};

describe.each(Object.entries(installs))('%s', (name, { tool, prepare = 'true', use, docs, readme: chapter }) => {
  const home = fileFixture(openReaderHome);

  it.skipIf(docs.length === 0 || isLeftOut(tool))('is installed by the commands of the documentation', async () => {
    const printed = docs.map(panel).join('\n');
    expect(await home.run(`${prepare}\n${printed}\n${use}`)).toContain('used');
  });

  it.skipIf(isLeftOut(tool))('is installed by the commands of its README', async () => {
    await fs.rm(home.project, { recursive: true });
    await fs.mkdir(home.project);
    await fs.rm(path.join(home.project, '../.local'), { recursive: true, force: true });
    expect(await home.run(`${prepare}\n${await commandsOf(name, chapter)}\n${use}`)).toContain('used');
  });
});

describe('client generators', () => {
  const home = fileFixture(openReaderHome);

  it('run as printed, with the versions that are tested', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(makeOpenApi('http://localhost'))),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fill = (text: string) => text.replaceAll(urlPlaceholder, address);
    try {
      const config = panel('orval.config.mjs, Client generators');
      await fs.writeFile(path.join(home.project, 'orval.config.mjs'), fill(config));
      await home.run(fill(panel('Generate a client, Client generators')));
      expect(await fs.readdir(path.join(home.project, 'src'))).toEqual(['uprez', 'uprez.d.ts', 'uprez.ts']);
    } finally {
      server.close();
    }
  });
});

it('names no package that strangers could register', async () => {
  const texts = [...panels.values(), ...(await Promise.all(Object.keys(installs).map(readme)))];
  // Names of docs/sdks.md, without a path to the source code.
  const unregistered =
    /npx (-y |--yes )?@uprez|"@uprez\/mcp"|npm (i|install|add) @uprez|pip install uprez|composer require "?uprez\/uprez(?!:@dev)|go get github\.com\/uprez|uses: uprez\//;
  for (const text of texts) expect(text).not.toMatch(unregistered);
});
