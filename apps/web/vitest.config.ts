import { createRequire } from 'node:module';
import { defineProject } from 'vitest/config';
import { documentationPages } from './vite-documentation.ts';
import { highlight } from './vite-highlight.ts';
import { sectionTexts } from './vite-section-texts.ts';

const payments = createRequire(new URL('../../packages/payments/package.json', import.meta.url));

/** Components and pages in happy-dom, whose requests go to a real gateway. */
export default defineProject({
  resolve: {
    // Unlike in other tests, packages are those for browsers.
    conditions: ['@uprez/source', 'module', 'browser'],
    // Tests call the Stripe double as services do.
    alias: { stripe: payments.resolve('stripe') },
  },
  plugins: [highlight(), documentationPages(), sectionTexts(documentationPages())],
  test: {
    name: 'component',
    isolate: false,
    include: ['src/**/*.test.tsx'],
    environment: './test/component/environment.ts',
    // A document that may take payments.
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/account/billing' } },
    globalSetup: ['./test/component/global-setup.ts'],
    setupFiles: ['./test/component/set-up.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // Node.js would load another copy of the router for its parts.
    server: { deps: { inline: [/@uprez\//, /react-router/] } },
  },
});
