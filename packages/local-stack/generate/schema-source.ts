import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { calls } from '../src/stripe/open-stripe-double.ts';

/** What the schemas are made from: they are stale when any of it differs. */
export interface SchemaSource {
  /** Version of the `stripe` package. */
  sdk: string;
  /** SHA-256 of the list of calls and of the generator. */
  hash: string;
}

/** Returns the source of the schemas as it is now. */
export function makeSource(): SchemaSource {
  const hash = createHash('sha256');
  for (const file of ['../src/stripe/shapes.ts', 'make-schemas.ts', 'type-schema.ts'])
    hash.update(readFileSync(new URL(file, import.meta.url)));
  for (const { params, serves } of calls) hash.update(JSON.stringify([params, ...serves]));
  return { sdk: readSdkVersion(), hash: hash.digest('hex') };
}

/** The package exports no package.json, but a file with its version lies beside the folder of its modules. */
function readSdkVersion(): string {
  const entry = createRequire(import.meta.url).resolve('stripe');
  return readFileSync(join(dirname(entry), '../VERSION'), 'utf8').trim();
}
