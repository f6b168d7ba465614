// Lints the OpenAPI document, as the gateway serves it, with the rules of Spectral and Redocly. Prints the output of failed
// linters. Exit code 1 when there is an error or a warning.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { capture, main, rootDir } from './run.mjs';

const configDir = join(rootDir, 'infra/local/openapi');
const file = join(rootDir, '.data/openapi.json');
const linters = [
  ['spectral', ['lint', file, '--ruleset', join(configDir, 'spectral.yaml'), '--fail-severity', 'hint']],
  ['redocly', ['lint', file, '--config', join(configDir, 'redocly.yaml'), '--format', 'stylish']],
];
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

await main(async () => {
  mkdirSync(join(rootDir, '.data'), { recursive: true });
  writeFileSync(file, JSON.stringify(makeOpenApi('https://uprez.example'), null, 2));
  const results = await Promise.all(linters.map(([command, args]) => capture(command, args, offline)));
  const failed = results.filter(({ code }) => code !== 0);
  for (const { output } of failed) console.error(output);
  return failed.length > 0 ? 1 : 0;
});
