// npx for tests of the documentation: runs programs of the checkout, in the versions that it has, without a registry.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const checkout = process.env.UPREZ_CHECKOUT ?? '';
const read = (file) => readFileSync(path.join(checkout, file), 'utf8');

/** The version of a package that the checkout uses. */
function versionOf(name) {
  if (name === 'pnpm') return JSON.parse(read('package.json')).devEngines.packageManager.version;
  const manifest = `packages/sdk-contract/node_modules/${name}/package.json`;
  return JSON.parse(read(manifest)).version;
}

/** Throws unless a package is named with the version of the checkout. Without one, the newest version would be run. */
function check(spec) {
  const [, name, version] = /^(@?[^@]+)(?:@(.+))?$/.exec(spec) ?? [];
  if (version === versionOf(name)) return name;
  throw new Error(`npx would run ${spec}, but the checkout has ${name}@${versionOf(name)}`);
}

// Folders of the copy are links, so `process.cwd()` is in the checkout.
const [cwd, copy] = [process.env.PWD ?? '', path.join(process.env.HOME ?? '', 'uprez')];
const args = process.argv.slice(2);
const packages = [];
while (args[0]?.startsWith('-')) {
  const option = args.shift();
  if (option === '-p' || option === '--package') packages.push(check(args.shift() ?? ''));
  else if (option !== '-y' && option !== '--yes') throw new Error(`npx: unexpected ${option}`);
}
const isInCopy = cwd.startsWith(copy);
const [program = '', ...rest] = args;
// Programs of the checkout and of named packages need no version.
const name = isInCopy && !program.includes('@') ? program : packages.length > 0 ? program : check(program);

const run = (file, given, cwd) => {
  const { status, error } = spawnSync(file, given, { stdio: 'inherit', cwd });
  if (error) throw error;
  process.exit(status ?? 1);
};
const rootBin = (file) => path.join(checkout, 'node_modules/.bin', file);
// The checkout is installed.
if (name === 'pnpm' && rest[0] === 'install') process.exit(0);
if (name === 'pnpm') run(rootBin('pnpm'), [...rest, '--pack-destination', cwd], checkout);
if (isInCopy) run(rootBin(name), rest, path.join(checkout, path.relative(copy, cwd)));
run(path.join(checkout, 'packages/sdk-contract/node_modules/.bin', path.basename(name)), rest);
