import { CodePanel, PanelTitle } from '../../../ui/code/code-panel.tsx';
import { fillPlaceholders, placeholders, useExampleValues } from '../../../ui/code/example-values.ts';
import type { Language } from '../../../ui/code/languages.ts';
import { type Lines, mapText, plainLines } from '../../../ui/code/lines.ts';
import { documentationMessages } from '../messages.ts';

const text = documentationMessages.sdks;
const files = import.meta.glob<Lines>('../../../../../packages/sdk-*/examples/upscale.*', {
  query: '?code',
  import: 'lines',
  eager: true,
});

const goName = 'github.com/uprez/uprez-go';

/** How to install each SDK from a copy of the source code. */
const sdks = {
  node: {
    install:
      '(cd ~/uprez && npx pnpm@12.21.0 install && npx tsc -b packages/sdk-node)\nnpm install ~/uprez/packages/sdk-node',
  },
  python: { install: 'pip install ~/uprez/packages/sdk-python' },
  php: {
    install:
      '# With Composer\ncomposer config repositories.uprez path ~/uprez/packages/sdk-php\ncomposer require "uprez/uprez:@dev"\n\n# Without it: the folder has an autoload.php\nln -s ~/uprez/packages/sdk-php vendor',
  },
  go: { install: `go mod edit -require=${goName}@v0.0.0 -replace=${goName}=$HOME/uprez/packages/sdk-go` },
} as const satisfies Partial<Record<Language, { install: string }>>;
type SdkName = keyof typeof sdks;

function findSdkExample(name: SdkName): Lines | undefined {
  const [, lines] = Object.entries(files).find(([file]) => file.includes(`/sdk-${name}/`)) ?? [];
  return lines;
}

export function SdkCode({ name }: { name: SdkName }) {
  const { address } = useExampleValues();
  const title = documentationMessages.sections.sdks[`sdk-${name}`];
  const lines = findSdkExample(name);
  const filled = { address, key: placeholders.key };
  return (
    <>
      <CodePanel
        name={`${text.install}, ${title}`}
        title={<PanelTitle>{text.install}</PanelTitle>}
        lines={plainLines(sdks[name].install)}
      />
      {lines && (
        <CodePanel
          name={`${text.use}, ${title}`}
          title={<PanelTitle>{text.use}</PanelTitle>}
          lines={mapText(lines, (piece) => fillPlaceholders(piece, filled))}
        />
      )}
    </>
  );
}

export function CliCode() {
  const { address } = useExampleValues();
  const commands = fillPlaceholders(text.cli.commands, { address, key: placeholders.key });
  const panels = [
    [text.install, text.cli.install],
    [text.cli.use, commands],
  ] as const;
  return panels.map(([title, code]) => (
    <CodePanel
      key={title}
      name={`${title}, ${documentationMessages.sections.sdks.cli}`}
      title={<PanelTitle>{title}</PanelTitle>}
      lines={plainLines(code)}
    />
  ));
}
