import { fileURLToPath } from 'node:url';
import { endpoints } from '../src/endpoints/endpoints.ts';

const heading = '// Generated from the declarations of the endpoints by `npm run generate:routes`. Do not edit.\n';

/** The tables of routes, by what calls them, so that a browser loads those of its pages only. */
const tables = [
  { file: 'admin', name: 'adminRoutes', type: 'AdminRouteName', what: 'administrators' },
  { file: 'api', name: 'apiRoutes', type: 'ApiRouteName', what: 'visitors and users' },
  {
    file: 'v1',
    name: 'v1Routes',
    what: 'the public API. Each is also under `/api/v1`, and under `/v1/sandbox` (and `/api/v1/sandbox`) for the sandbox',
  },
  {
    file: 'v1',
    name: 'serviceRoutes',
    what: "service keys. They are no part of the public API's documents and SDKs, because keys of accounts can't make them",
  },
  {
    file: 'v1',
    name: 'mcpRoutes',
    what: "the Model Context Protocol. Its messages are those of the protocol, so it is no part of the public API's documents and SDKs",
  },
] as const;
type Table = (typeof tables)[number];

function tableOf({ auth, route }: { auth: string; route: string }): Table['name'] {
  const [, path = ''] = route.split(' ');
  if (path.startsWith('/api/admin/')) return 'adminRoutes';
  if (auth === 'service') return 'serviceRoutes';
  if (path.startsWith('/v1/')) return 'v1Routes';
  return path === '/mcp' ? 'mcpRoutes' : 'apiRoutes';
}

function printTable(table: Table): string {
  const rows = Object.entries(endpoints)
    .filter(([, endpoint]) => tableOf(endpoint) === table.name)
    .map(([name, { route }]) => {
      const [method, path] = route.split(' ');
      return `  ${name}: { method: '${method}', path: '${path}' },\n`;
    });
  const type = 'type' in table ? `export type ${table.type} = keyof typeof ${table.name};\n` : '';
  return `/** Name -> method and path of the calls of ${table.what}. */\nexport const ${table.name} = {\n${rows.join('')}} as const;\n${type}`;
}

/** The generated files of the package. */
export const generated = [...new Set(tables.map(({ file }) => file))].map((file) => ({
  path: fileURLToPath(new URL(`../src/endpoints/routes-${file}.ts`, import.meta.url)),
  make: () => [heading, ...tables.filter((table) => table.file === file).map(printTable)].join('\n'),
}));
