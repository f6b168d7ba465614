// npm run sbom: writes a bill of materials (CycloneDX 1.7) of each deployable from the lockfile, without tools of development.
//   --out FOLDER   .data/sbom by default
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { capture, main, rootDir } from './run.mjs';

const { values } = parseArgs({ options: { out: { type: 'string', default: join(rootDir, '.data/sbom') } } });
const deployables = ['gateway', 'worker', 'dispatcher'];
const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--prod'];

await main(async () => {
  const folder = resolve(values.out);
  mkdirSync(folder, { recursive: true });
  for (const name of deployables) {
    const file = join(folder, `${name}.cdx.json`);
    const { code, output } = await capture('pnpm', ['--filter', `@uprez/${name}`, 'sbom', ...format, '--out', file]);
    if (code !== 0) throw new Error(`pnpm sbom failed for ${name}:\n${output}`);
    console.log(file);
  }
  return 0;
});
