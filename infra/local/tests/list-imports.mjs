import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootDir } from '../run.mjs';

/** Matches the module names of static and dynamic imports, of exports, and of files that are named by a URL. */
const imported = /(?:\bfrom|\bimport\(?|\bnew URL\()\s*(['"])(\.{1,2}\/[^'"]+|@uprez\/[^'"]+)\1/g;

/** @type {Map<string, string[]>} */
const importsOf = new Map();

/** Lists `files` and all files of the repository that they import, directly or not. Paths are relative to the root. */
export function listImports(files) {
  const found = new Set(files);
  // A set's iterator also visits what is added meanwhile.
  for (const file of found) for (const path of readImports(file)) found.add(path);
  return [...found];
}

function readImports(file) {
  const known = importsOf.get(file);
  if (known) return known;
  const isCode = /\.(?:ts|tsx|mjs|mts|js)$/.test(file);
  const names = isCode
    ? [...readFileSync(join(rootDir, file), 'utf8').matchAll(imported)].map(([, , name]) => name)
    : [];
  const paths = names.map((name) => resolve(name, file)).filter((path) => path !== undefined);
  importsOf.set(file, paths);
  return paths;
}

/** Compiled files, which are there only after a build. */
const compiled = /^((?:packages|services|apps)\/[^/]+)\/dist\//;

/** Our packages export `./*` from `src`. Their compiled files are named like their sources, which are listed instead. */
function resolve(name, from) {
  const [, folder, path] = /^@uprez\/([^/]+)\/(.+)$/.exec(name) ?? [];
  const bases = folder
    ? ['packages', 'services', 'apps'].map((group) => join(group, folder, 'src', path))
    : [join(dirname(from), name).replace(compiled, '$1/src/')];
  const candidates = bases.flatMap((base) => [base, `${base}.ts`, `${base}.tsx`, base.replace(/\.js$/, '.ts')]);
  return candidates.find((path) => isFile(path));
}

const isFile = (path) => /\.\w+$/.test(path) && existsSync(join(rootDir, path));
