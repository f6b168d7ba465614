import { readFileSync } from 'node:fs';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { v1Endpoints } from '@uprez/contracts/endpoints/v1';
import { type ErrorCode, errorCodes } from '@uprez/contracts/errors/error-codes';
import { fileExtensions, inputFormats } from '@uprez/contracts/policy/images/image-formats';
import { finalStatuses } from '@uprez/contracts/policy/job-status';
import { toSnakeCase } from '@uprez/contracts/v1/fields';
import { listFields } from './make-option-types.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const heading = '/** Generated from the API contracts by `npm run generate:sdk`. Do not edit. */\n';
const codesOf = (table: Record<string, { errors: readonly ErrorCode[] }>) =>
  new Set(Object.values(table).flatMap(({ errors }) => errors));

/** Lists the error codes of the public API: all codes except those that only the web app's endpoints use. */
function listCodes(): [string, boolean][] {
  const isV1 = codesOf(v1Endpoints);
  const isWeb = codesOf(endpoints);
  return Object.entries(errorCodes)
    .filter(([code]) => isV1.has(code as ErrorCode) || !isWeb.has(code as ErrorCode))
    .map(([code, { retry }]) => [code, retry]);
}

const print = (description: string, name: string, value: unknown) =>
  `/** ${description} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;

/** Makes the text of `facts.ts`. */
export function makeFacts(): string {
  const fields = listFields().map(([name, facts]) => [toSnakeCase(name), facts]);
  const routes = Object.entries(v1Routes).map(([name, { method, path }]) => [name, `${method} ${path}`]);
  const values = [
    print('Version of this package.', 'version', version),
    print('Error codes, and whether a retry may succeed.', 'errorCodes', Object.fromEntries(listCodes())),
    print('Image options.', 'recipeFields', Object.fromEntries(fields)),
    print("Statuses that a job doesn't leave.", 'finalStatuses', finalStatuses),
    print('Supported input formats.', 'inputFormats', inputFormats),
    print('File extensions by format.', 'fileExtensions', fileExtensions),
    print('Endpoints of the API.', 'routes', Object.fromEntries(routes)),
  ];
  return `${heading}\n${values.join('\n')}`;
}
