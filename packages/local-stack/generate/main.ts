import { writeFileSync } from 'node:fs';
import { makeSchemas } from './make-schemas.ts';
import { makeSource } from './schema-source.ts';

/** npm run generate:stripe: writes the JSON schemas of the calls that the Stripe double serves. */
const schemas = makeSchemas();
writeFileSync(
  new URL('../stripe-schemas.json', import.meta.url),
  `{"source":${JSON.stringify(makeSource())},\n"roots":${JSON.stringify(schemas.roots)},\n"$defs":{\n${Object.entries(
    schemas.definitions,
  )
    .map(([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`)
    .join(',\n')}\n}}\n`,
);
