import type { Language } from '../../ui/code/languages.ts';
import type { Lines } from '../../ui/code/lines.ts';

const files = import.meta.glob<Lines>('../../../../../packages/sdk-*/examples/upscale.*', {
  query: '?code',
  import: 'lines',
  eager: true,
});

const goName = 'github.com/uprez/uprez-go';

/** How to install each SDK from a copy of the source code. */
export const sdks = {
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
export type SdkName = keyof typeof sdks;

/** Returns the example of an SDK. */
export function findSdkExample(name: SdkName): Lines | undefined {
  const [, lines] = Object.entries(files).find(([file]) => file.includes(`/sdk-${name}/`)) ?? [];
  return lines;
}
