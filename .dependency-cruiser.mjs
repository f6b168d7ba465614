/** Who may import whom: the tables of `infra/local/import-tables.mjs`, executed. Arrows point down. */
import { mayImport, subjects, vendors } from './infra/local/import-tables.mjs';

const tests = '(\\.test\\.ts$|/test/|/e2e/|/bench/)';

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
const webFolders = ['lib', 'ui', 'features', 'app'];
const webLayers = webFolders.slice(0, -1).map((folder, level) => ({
  name: `web-layers:${folder}`,
  severity: 'error',
  from: { path: `^apps/web/src/${folder}/`, pathNot: tests },
  to: { path: webFolders.slice(level + 1).map((upper) => `^apps/web/src/${upper}/`) },
}));

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    // The bundler resolves what it is asked for as an address, and modules that its plugins make. Tests of generators make
    // the clients that their programs import.
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['\\?url$', '^virtual:', '^\\./generated/'] },
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
      name: 'pure-pipeline',
      comment: 'The pipeline of a job, the detection of formats, and local mode run in the browser.',
      severity: 'error',
      from: {
        path: '^packages/imaging/src/(color|pipeline|sniff|browser|engine/(detail|steps/(compare-frame|cell-means)))',
        pathNot: tests,
      },
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
      from: {
        path: '^(apps|services|packages|infra)/',
        pathNot: [tests, '^packages/testing', '^infra/local/containers/'],
      },
      to: { path: '^packages/testing' },
    },
    {
      name: 'examples-as-users',
      comment: 'Examples use the published packages only.',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(apps|services|packages|infra)/', pathNot: '^packages/sdk-node/src/(index|browser)\\.ts$' },
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
      comment: 'Only pages, and their parts that are loaded later, combine features.',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: '-(page|tab|sections)\\.tsx$' },
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
    // A component test opens the whole app, which leads from its folder back to its folder.
    exclude: { path: ['/dist/', '\\.turbo', '/fixtures/', '\\.test\\.tsx$'] },
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
