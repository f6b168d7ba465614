import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// 'import', 'default' and 'module' must not be here: they would reach the workers as `node -C`, and CommonJS packages would then
// be given ES modules.
const conditions = ['@uprez/source', 'node'];
const resolve = { conditions };
const ssr = { noExternal: [/^@uprez\//], resolve: { conditions, externalConditions: ['node'] } };
const deps = { inline: [/@uprez\//] };

// What these tests need is made by `npm run test:s3` and `npm run test:upgrade`.
const needsMore = [
  ...(process.env.TEST_S3_ENDPOINT ? [] : ['**/external-s3.test.ts']),
  ...(process.env.UPREZ_PREVIOUS_DIR ? [] : ['**/previous-version.test.ts']),
];

/** Files of suites that nothing has changed for since they passed, as `npm test` passes them. */
const unchanged = process.env.UPREZ_UNCHANGED_TESTS?.split(',') ?? [];

/** Names of files in `services/worker/test` in a full run, the longest last. */
const longest = [
  'disk-full',
  'rolling-restart',
  'redis-lost',
  'clock-jumps',
  'gateway-killed',
  'storage-lost',
  'spoiled-uploads',
  'lost-workers',
  'soak',
];

/** Runs the longest files first: the others run beside them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      longest.findIndex((name) => moduleId.endsWith(`/worker/test/${name}.test.ts`));
    return (await super.sort(files)).toSorted((one, other) => place(other) - place(one));
  }
}

export default defineConfig({
  resolve,
  ssr,
  test: {
    maxWorkers: 2,
    // The soak takes one of them for two hours.
    ...(process.env.UPREZ_FULL && { maxWorkers: 3, sequence: { sequencer: LongestFirst } }),
    // No diary of onnxruntime in the home folder.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          testTimeout: 90_000,
          include: ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts'],
          server: { deps },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          // Loading the modules again for each file took a fifth of the time.
          isolate: false,
          include: ['packages/*/test/**/*.test.ts', 'services/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...needsMore, ...unchanged],
          globalSetup: ['packages/testing/src/global-setup.ts'],
          setupFiles: ['packages/testing/src/lower-hash-cost.ts'],
          // It limits tests that hang: the waits in them end earlier, and say for what. Full runs repeat more in one test.
          testTimeout: process.env.UPREZ_FULL ? 600_000 : 180_000,
          hookTimeout: 180_000,
          server: { deps },
        },
      },
      'apps/web/vitest.config.ts',
    ],
  },
});
