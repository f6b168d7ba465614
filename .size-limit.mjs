import { readFileSync } from 'node:fs';

const dist = 'apps/web/dist';
const page = readFileSync(`${dist}/index.html`, 'utf8');

/** The scripts that the page names: its entry, and what that imports before it runs. */
const firstLoad = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => dist + path);

/** A script, and all that it imports before it runs. */
function findImports(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
    findImports(folder + name, found);
  return found;
}

// As the first load names it: a restored build may lie beside an older one.
const frame = firstLoad.map((path) => /admin-area-[\w-]+\.js/.exec(readFileSync(path, 'utf8'))?.[0]).find(Boolean);
if (!frame) throw new Error('The first load names no script of the admin frame.');
const admin = [...findImports(`${dist}/assets/${frame}`)].filter((path) => !firstLoad.includes(path));

export default [
  { name: 'JavaScript of the first load', path: firstLoad, gzip: true, limit: '180 kB' },
  // Pages and charts are loaded when they are opened.
  { name: 'JavaScript of the admin frame, beside the first load', path: admin, gzip: true, limit: '120 kB' },
];
