/** Who may import whom: the table of ARCHITECTURE.md, executed. Arrows point down. */
const tests = '(\\.test\\.ts$|/test/|/e2e/|/bench/)';
/** Packages each of ours may import (by folder), product code only. A name with a slash is one door of a package. */
const mayImport = {
  'packages/contracts': [],
  'packages/client': ['packages/contracts'],
  'packages/markup': ['packages/contracts'],
  'packages/db': ['packages/contracts'],
  'packages/queue': ['packages/contracts'],
  'packages/storage': ['packages/contracts'],
  'packages/runtime': ['packages/contracts'],
  'packages/mail': ['packages/contracts'],
  'packages/guarded-fetch': ['packages/contracts'],
  'packages/payments': ['packages/contracts'],
  'packages/models': ['packages/contracts'],
  'packages/imaging': ['packages/contracts', 'packages/models'],
  'packages/domain': [
    'packages/contracts',
    'packages/db',
    'packages/guarded-fetch',
    'packages/mail',
    'packages/markup',
    'packages/payments',
    'packages/queue',
    'packages/storage',
    'packages/imaging/src/plan',
    'packages/imaging/src/sniff',
  ],
  'packages/local-stack': ['packages/contracts', 'packages/models', 'packages/runtime'],
  'packages/sdk-node': [],
  'packages/cli': ['packages/sdk-node'],
  'packages/testing': ['packages/'],
  'services/gateway': [
    'packages/contracts',
    'packages/domain',
    'packages/db',
    'packages/payments',
    'packages/queue',
    'packages/storage',
    'packages/imaging/src/plan',
    'packages/runtime',
  ],
  'services/worker': [
    'packages/contracts',
    'packages/domain',
    'packages/db',
    'packages/queue',
    'packages/storage',
    'packages/imaging/src/plan',
    'packages/models',
    'packages/runtime',
  ],
  'services/dispatcher': [
    'packages/contracts',
    'packages/domain',
    'packages/db',
    'packages/mail',
    'packages/payments',
    'packages/queue',
    'packages/storage',
    'packages/runtime',
  ],
  'apps/web': [
    'packages/contracts',
    'packages/client',
    'packages/markup',
    'packages/imaging/src/plan',
    'packages/imaging/src/sniff',
  ],
};

/** Subjects that each subject of the domain may import. All of them may import the files directly in `src`. */
const subjects = {
  analytics: [],
  settings: [],
  access: ['mails'],
  billing: ['mails', 'settings', 'usage'],
  uploads: [],
  mails: [],
  leads: ['inbox', 'mails'],
  events: [],
  'api-keys': ['mails'],
  usage: ['api-keys', 'events', 'mails'],
  jobs: ['events', 'uploads', 'usage'],
  batches: ['events', 'jobs', 'mails', 'uploads', 'usage'],
  webhooks: ['events', 'mails'],
  feed: ['batches', 'events', 'webhooks'],
  accounts: ['analytics', 'jobs', 'mails', 'settings'],
  admin: ['accounts', 'api-keys', 'batches', 'billing', 'jobs', 'mails', 'settings', 'usage'],
  content: ['admin', 'mails'],
  inbox: ['admin', 'intake', 'mails', 'uploads'],
  status: ['accounts', 'admin', 'api-keys'],
  dashboard: ['status', 'usage'],
  waiting: ['batches', 'jobs'],
  intake: ['batches', 'events', 'jobs', 'uploads', 'usage', 'waiting', 'webhooks'],
};

/** Vendors and the one folder that knows each. */
const vendors = {
  fastify: '(services/gateway|packages/local-stack)',
  '@fastify': 'services/gateway',
  'kysely|pg': 'packages/(db|local-stack|testing)',
  'bullmq|ioredis': 'packages/(queue|local-stack|testing)',
  '@aws-sdk': 'packages/storage',
  'sharp|onnxruntime-node': 'packages/(imaging|testing)',
  'pacote|tar|onnx-proto': 'packages/models',
  '@node-rs/argon2|@simplewebauthn/server|@zxcvbn-ts|otplib|qrcode': 'packages/domain/src/accounts',
  standardwebhooks: 'packages/domain/src/webhooks',
  nodemailer: 'packages/mail',
  '@tiptap|@handlewithcare|prosemirror-[a-z]+': 'apps/web/src/features/admin/blog/rich-text',
  diff: 'apps/web/src/features/admin/blog/editor',
  // The editor of the web app reads and writes the same trees.
  'unified|remark-[a-z]+|rehype-[a-z]+': '(packages/markup|apps/web)',
  // The double of Stripe builds replies of the SDK's types.
  stripe: 'packages/(payments|local-stack/(src/stripe|generate))',
  'undici|ipaddr.js': 'packages/guarded-fetch',
  'smtp-server|postal-mime|qs': 'packages/local-stack',
  react: '(apps/web|packages/mail)',
  'react-dom|react-router|radix-ui': 'apps/web',
  '@scalar': 'apps/web/src/features/reference',
  '@stripe': 'apps/web/src/features/billing/payment',
  shiki: 'apps/web/vite-highlight',
  'pino|prom-client': 'packages/runtime',
};

const arrows = Object.entries(mayImport).map(([from, allowed]) => ({
  name: `layers:${from}`,
  severity: 'error',
  from: { path: `^${from}/src`, pathNot: tests },
  to: { path: '^(apps|services|packages)/', pathNot: [`^${from}/`, ...allowed.map((folder) => `^${folder}`)] },
}));

const domain = '^packages/domain/src/';
const subjectRules = Object.entries(subjects).map(([from, allowed]) => ({
  name: `domain:${from}`,
  severity: 'error',
  from: { path: `${domain}${from}/`, pathNot: tests },
  to: { path: `${domain}[^/]+/`, pathNot: [from, ...allowed].map((subject) => `${domain}${subject}/`) },
}));

const vendorRules = Object.entries(vendors).map(([names, folder]) => ({
  name: `vendor:${names}`,
  severity: 'error',
  from: { path: '^(apps|services|packages)/', pathNot: [`^${folder}`, tests] },
  to: { path: `node_modules/(${names})(/|$)` },
}));

/** The folders of the web app, lowest first. A folder imports only lower ones. */
const webFolders = ['lib', 'ui', 'features', 'pages', 'app'];
const webLayers = webFolders.slice(0, -1).map((folder, level) => ({
  name: `web-layers:${folder}`,
  severity: 'error',
  from: { path: `^apps/web/src/${folder}/`, pathNot: tests },
  to: { path: webFolders.slice(level + 1).map((upper) => `^apps/web/src/${upper}/`) },
}));

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // The bundler resolves what it is asked for as an address, and modules that its plugins make.
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['\\?url$', '^virtual:'] },
    },
    ...arrows,
    ...vendorRules,
    ...subjectRules,
    {
      name: 'domain:subjects',
      comment: 'A new folder of the domain needs an entry in the table of subjects.',
      severity: 'error',
      from: {},
      to: { path: `${domain}[^/]+/`, pathNot: Object.keys(subjects).map((subject) => `${domain}${subject}/`) },
    },
    {
      name: 'domain:no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/(domain|db)/src' },
      to: { circular: true },
    },
    {
      name: 'pure-plan',
      comment: 'The planner and the detection of formats run in the browser too.',
      severity: 'error',
      from: { path: '^packages/imaging/src/(plan|sniff)', pathNot: tests },
      to: { path: ['node_modules', '^(node:)?(fs|path|os|crypto)'] },
    },
    {
      name: 'runtime-for-services',
      comment: 'Runtime belongs to what runs: services, the starter, commands.',
      severity: 'error',
      from: { path: '^packages/(?!runtime|testing|local-stack)', pathNot: tests },
      to: { path: '^packages/runtime' },
    },
    {
      name: 'testing-for-tests',
      severity: 'error',
      from: { path: '^(apps|services|packages|infra)/', pathNot: [tests, '^packages/testing'] },
      to: { path: '^packages/testing' },
    },
    {
      name: 'queries-through-domain',
      comment: 'The gateway opens the database, the queue, and the storage in deps.ts. The domain uses them.',
      severity: 'error',
      from: { path: '^services/gateway/src/', pathNot: '^services/gateway/src/(deps|config)\\.ts$' },
      // What measures a stream or names an unreachable store opens nothing.
      to: {
        path: '^packages/(db|queue|storage)/',
        pathNot: '^packages/storage/src/(read-chunks|unavailable)\\.ts$',
      },
    },
    ...webLayers,
    {
      name: 'web-folder-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: '^apps/web/src/(lib|ui)/' },
      to: { circular: true, path: '^apps/web/src/(lib|ui)/' },
    },
    {
      name: 'features-apart',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'no-folder-cycles',
      comment: 'The subfolders of a feature depend on each other in one direction.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^apps/web/src/features/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '\\.turbo', '/fixtures/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@uprez/source', 'import', 'node', 'default'],
      mainFields: ['module', 'main'],
    },
  },
};
