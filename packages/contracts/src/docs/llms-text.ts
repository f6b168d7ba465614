import { v1Routes } from '../endpoints/routes-v1.ts';
import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';
import { errorHints } from '../errors/error-hints.ts';
import { limits } from '../policy/limits.ts';
import { plans, tiers } from '../policy/plans.ts';
import { sandbox } from '../policy/sandbox.ts';
import { recipeFields } from '../recipe/recipe-fields.ts';
import { documentationPage } from '../texts/pages.ts';
import { snakeCase, v1Options } from '../v1/fields.ts';
import { changelog } from './changelog.ts';
import { v1Summaries } from './v1-summaries.ts';

const list = (rows: readonly string[]) => rows.map((row) => `- ${row}`).join('\n');
const names = Object.keys(v1Summaries) as (keyof typeof v1Summaries)[];
const withApi = tiers.filter((tier) => plans[tier].api).map((tier) => plans[tier].name);

const callRows = names.map((name) => {
  const { method, path } = v1Routes[name];
  return `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\`: ${v1Summaries[name].says}.`;
});
const fieldRows = Object.entries({ ...recipeFields, ...v1Options }).map(
  ([name, { allowed, says }]) => `\`${snakeCase(name)}\` (${allowed}): ${says.replace(/ \(default [^)]*\)/, '')}.`,
);
const errorRows = (Object.keys(errorHints) as ErrorCode[]).map(
  (code) => `\`${code}\` (${errorCodes[code].status}): ${errorCodes[code].title} ${errorHints[code]}`,
);
const changeRows = changelog.map(({ date, version, changes }) => `${version} (${date}): ${changes.join(' ')}`);

/** The public API for language models (llmstxt.org), of a service at this address: what there is, and where more stands. */
export function makeLlmsText(publicUrl: string): string {
  const page = (tab: string) => `${publicUrl}${documentationPage}${tab}`;
  return `# Uprez API

> Enlarges and converts images: one call with an image and a factor answers with a job that has a link to the result. Base address \`${publicUrl}/v1\`, JSON in snake_case, errors as application/problem+json.

Every call carries \`Authorization: Bearer KEY\`; keys come with ${withApi.join(', ')}. Keys that begin with \`upz_test_\`, and any key under \`${sandbox.prefix}\`, make small images that cost nothing.

\`\`\`sh
curl ${publicUrl}${v1Routes.v1Process.path} -H "Authorization: Bearer KEY" -F image=@photo.jpg -F scale=4
\`\`\`

The call waits up to ${limits.waitSeconds} seconds and answers 200 with \`"status":"completed"\` and a \`download_url\`, which works without a key for ${limits.downloadLinkMinutes} minutes; or 202 with a job that is \`queued\` or \`processing\`: GET its \`status_url\` each second until it is not. Send an \`Idempotency-Key\` with each image and repeat after 429, 5xx and lost connections, as late as \`Retry-After\` says. What is refused, fails or is cancelled costs nothing.

## Documentation

- [Getting started](${page('')}): a key, the first image, what comes back
- [Reference](${page('?tab=reference')}): every call, field, header, limit and error
- [Examples](${page('?tab=examples')}): whole programs in curl, Node, Python, PHP and Go
- [SDKs](${page('?tab=sdks')}): Node, Python, PHP, Go and the command \`uprez\`
- [OpenAPI 3.1](${publicUrl}${v1Routes.v1OpenApi.path}), [Postman collection](${publicUrl}${v1Routes.v1Postman.path})

## Calls

${list(callRows)}

## Fields of an image

${list(fieldRows)}

## Errors and what helps

${list(errorRows)}

## Changes

${list(changeRows)}
`;
}
