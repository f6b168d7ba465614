// Lints the OpenAPI document, as the gateway serves it, with the rules of Spectral and Redocly, unless the same document passed
// before. Prints the output of failed linters. Exit code 1 when there is an error or a warning.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { capture, main, rootDir } from './run.mjs';

const configDir = join(rootDir, 'infra/local/openapi');
const file = join(rootDir, '.data/openapi.json');
const rules = { spectral: join(configDir, 'spectral.yaml'), redocly: join(configDir, 'redocly.yaml') };
const linters = [
  ['spectral', ['lint', file, '--ruleset', rules.spectral, '--fail-severity', 'hint']],
  ['redocly', ['lint', file, '--config', rules.redocly, '--format', 'stylish']],
];
/** The hash of what passed last. */
const passedFile = join(rootDir, 'node_modules/.cache/openapi.sha256');
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

await main(async () => {
  mkdirSync(join(rootDir, '.data'), { recursive: true });
  writeFileSync(file, JSON.stringify(makeOpenApi('https://uprez.example'), null, 2));
  const hash = createHash('sha256');
  const inputs = [file, ...Object.values(rules), join(rootDir, 'pnpm-lock.yaml')];
  for (const input of inputs) hash.update(readFileSync(input));
  const digest = hash.digest('hex');
  if (existsSync(passedFile) && readFileSync(passedFile, 'utf8') === digest) return 0;
  const results = await Promise.all(linters.map(([command, args]) => capture(command, args, offline)));
  const failed = results.filter(({ code }) => code !== 0);
  for (const { output } of failed) console.error(output);
  if (failed.length > 0) return 1;
  mkdirSync(join(rootDir, 'node_modules/.cache'), { recursive: true });
  writeFileSync(passedFile, digest);
  return 0;
});
