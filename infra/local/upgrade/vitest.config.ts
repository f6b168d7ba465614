import { defineConfig } from 'vitest/config';

const conditions = ['@uprez/source', 'node'];

/** Runs tests of the previous version from its sources. Its own setup would migrate to its own schema. @public */
export default defineConfig({
  cacheDir: '.vite',
  resolve: { conditions },
  ssr: { noExternal: [/^@uprez\//], resolve: { conditions, externalConditions: ['node'] } },
  test: {
    include: ['{packages,services}/*/test/**/*.test.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    server: { deps: { inline: [/@uprez\//] } },
  },
});
