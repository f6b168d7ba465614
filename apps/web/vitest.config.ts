import { createRequire } from 'node:module';
import { defineProject } from 'vitest/config';
import { documentationPages } from './vite-documentation.ts';
import { highlight } from './vite-highlight.ts';
import { sectionTexts } from './vite-section-texts.ts';

const payments = createRequire(new URL('../../packages/payments/package.json', import.meta.url));

/** Tests of components and pages in happy-dom, with requests to a real gateway. */
export default defineProject({
  resolve: {
    // Unlike in other tests, packages resolve to their browser builds.
    conditions: ['@uprez/source', 'module', 'browser'],
    // Tests call the Stripe double with the same `stripe` build as the services.
    alias: { stripe: payments.resolve('stripe') },
  },
  plugins: [highlight(), documentationPages(), sectionTexts(documentationPages())],
  test: {
    name: 'component',
    isolate: false,
    include: ['src/**/*.test.tsx'],
    environment: './test/component/environment.ts',
    // A payment page, because only documents that were loaded on a payment page can take payments.
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/account/billing' } },
    globalSetup: ['./test/component/global-setup.ts'],
    setupFiles: ['./test/component/set-up.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // Otherwise, Node.js would load a second copy of the router.
    server: { deps: { inline: [/@uprez\//, /react-router/] } },
  },
});
