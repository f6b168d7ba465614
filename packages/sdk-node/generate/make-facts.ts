import { readFileSync } from 'node:fs';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { v1Endpoints } from '@uprez/contracts/endpoints/v1';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { fileExtensions, inputFormats } from '@uprez/contracts/policy/image-formats';
import { finalStatuses } from '@uprez/contracts/policy/job-status';
import { snake } from '@uprez/contracts/v1/snake';
import { listFields } from './list-fields.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const heading = '/** Made by `npm run generate:sdk` from the contracts of the API: do not edit. */\n';
const codesOf = (table: Record<string, { errors: readonly ErrorCode[] }>) =>
  new Set(Object.values(table).flatMap(({ errors }) => errors));

/** Codes that a caller of the public API may meet: all but those that only calls of the web app answer. */
function listCodes(): [string, boolean][] {
  const isV1 = codesOf(v1Endpoints);
  const isWeb = codesOf(endpoints);
  return Object.entries(errorCodes)
    .filter(([code]) => isV1.has(code as ErrorCode) || !isWeb.has(code as ErrorCode))
    .map(([code, { retry }]) => [code, retry]);
}

const print = (says: string, name: string, value: unknown) =>
  `/** ${says} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;

/** The file of values, as text. */
export function makeFacts(): string {
  const fields = listFields().map(([name, facts]) => [snake(name), facts]);
  const routes = Object.entries(v1Routes).map(([name, { method, path }]) => [name, `${method} ${path}`]);
  const values = [
    print('Of this package.', 'version', version),
    print(
      'Codes of errors, and whether the same call may work a little later.',
      'errorCodes',
      Object.fromEntries(listCodes()),
    ),
    print('Parameters that say what becomes of an image.', 'recipeFields', Object.fromEntries(fields)),
    print('States that a job never leaves by itself.', 'finalStatuses', finalStatuses),
    print('What is read, and endings of what is made.', 'inputFormats', inputFormats),
    print('Ending of the name of a file, by its format.', 'fileExtensions', fileExtensions),
    print('Calls of the API.', 'routes', Object.fromEntries(routes)),
  ];
  return `${heading}\n${values.join('\n')}`;
}
