import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { CodePanel, PanelTitle } from '../../../ui/code/code-panel.tsx';
import { fillPlaceholders, placeholders, useExampleValues } from '../../../ui/code/example-values.ts';
import { type Lines, mapText, toPlainLines } from '../../../ui/code/lines.ts';
import { documentationMessages } from '../messages.ts';

const { sdks: text, sections } = documentationMessages;
const files = import.meta.glob<Lines>('../../../../../../packages/sdk-*/examples/upscale.*', {
  query: '?code',
  import: 'lines',
  eager: true,
});

const goName = 'github.com/uprez/uprez-go';

/** Commands that install each SDK from a copy of the source code. */
const installations = {
  node: '(cd ~/uprez && npx pnpm@12.21.0 install && npx tsc -b packages/sdk-node)\nnpm install ~/uprez/packages/sdk-node',
  python: 'python3 -m venv .venv\n.venv/bin/pip install ~/uprez/packages/sdk-python',
  php: '# In a folder with a composer.json, which "composer init" creates\ncomposer config repositories.uprez path ~/uprez/packages/sdk-php\ncomposer require "uprez/uprez:@dev"',
  go: `# In a folder with a go.mod, which "go mod init example.com/app" creates\ngo mod edit -require=${goName}@v0.0.0 -replace=${goName}=$HOME/uprez/packages/sdk-go`,
};

type PanelProps = { section: keyof typeof sections.sdks; title: string; lines: Lines };

function Panel({ section, title, lines }: PanelProps) {
  const { address } = useExampleValues();
  return (
    <CodePanel
      name={`${title}, ${sections.sdks[section]}`}
      title={<PanelTitle>{title}</PanelTitle>}
      lines={mapText(lines, (piece) => fillPlaceholders(piece, { address, key: placeholders.key }))}
    />
  );
}

/** Returns the example for an SDK. Throws if it is missing, because the page would otherwise show an empty block. */
function getExample(name: keyof typeof installations): Lines {
  const [, example] = Object.entries(files).find(([file]) => file.includes(`/sdk-${name}/`)) ?? [];
  if (!example) throw new Error(`The SDK "${name}" has no example.`);
  return example;
}

export function SdkCode({ name }: { name: keyof typeof installations }) {
  return (
    <>
      <Panel section={`sdk-${name}`} title={text.install} lines={toPlainLines(installations[name])} />
      <Panel section={`sdk-${name}`} title={text.use} lines={getExample(name)} />
    </>
  );
}

/** Command for projects without Composer. The linked folder contains an `autoload.php`. */
const linkPhpCommand = 'ln -s ~/uprez/packages/sdk-php vendor';

export const PhpWithoutComposer = () => (
  <Panel section="sdk-php" title={text.withoutComposer} lines={toPlainLines(linkPhpCommand)} />
);

const documentUrl = `${placeholders.address}${v1Routes.v1OpenApi.path}`;
/**
 * Uses the same versions and options as `packages/sdk-contract/test/generators.test.ts`. Without explicit versions, npm
 * may choose incompatible ones, depending on the Node.js version.
 */
const generators = `npx -p @hey-api/openapi-ts@0.95.0 -p typescript@6.0.2 openapi-ts \\
  --input ${documentUrl} \\
  --output src/uprez

npx -p openapi-typescript@7.13.0 -p typescript@6.0.2 openapi-typescript ${documentUrl} \\
  --output src/uprez.d.ts \\
  --default-non-nullable=false

npx orval@8.38.0 --config orval.config.mjs`;
const orvalConfig = `export default {
  uprez: {
    input: '${documentUrl}',
    output: {
      target: 'src/uprez.ts',
      client: 'fetch',
      baseUrl: { getBaseUrlFromSpecification: true },
      override: { splitByContentType: true },
    },
  },
};`;

export const GeneratorCode = () => (
  <>
    <Panel section="generators" title={text.generators.use} lines={toPlainLines(generators)} />
    <Panel section="generators" title={text.generators.config} lines={toPlainLines(orvalConfig)} />
  </>
);

export const CliCode = () => (
  <>
    <Panel section="cli" title={text.install} lines={toPlainLines(text.cli.install)} />
    <Panel section="cli" title={text.cli.use} lines={toPlainLines(text.cli.commands)} />
  </>
);

export const McpCode = () => (
  <>
    <Panel section="mcp" title={text.mcp.claude} lines={toPlainLines(text.mcp.claudeCommand)} />
    <Panel section="mcp" title={text.mcp.config} lines={toPlainLines(text.mcp.configFile)} />
    <Panel section="mcp" title={text.mcp.local} lines={toPlainLines(text.mcp.localCommand)} />
  </>
);
