import type { Language } from '../../ui/code/languages.ts';
import type { Lines } from '../../ui/code/lines.ts';

const files = import.meta.glob<Lines>('../../../../../packages/sdk-*/examples/enlarge.*', {
  query: '?code',
  import: 'lines',
  eager: true,
});

/** The languages that have an SDK, and how its package is installed where it is published. */
export const sdks = {
  node: { install: 'npm install @uprez/sdk-node' },
  python: { install: 'pip install uprez' },
  php: { install: 'composer require uprez/uprez' },
  go: { install: 'go get github.com/uprez/uprez-go' },
} as const satisfies Partial<Record<Language, { install: string }>>;
export type SdkName = keyof typeof sdks;
export const sdkNames = Object.keys(sdks) as SdkName[];

/** The example that the SDK brings; undefined: it brings none. */
export function findSdkExample(name: SdkName): Lines | undefined {
  const [, lines] = Object.entries(files).find(([file]) => file.includes(`/sdk-${name}/`)) ?? [];
  return lines;
}
