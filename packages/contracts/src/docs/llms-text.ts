import { mcpRoutes, v1Routes } from '../endpoints/routes-v1.ts';
import { errorCodes } from '../errors/error-codes.ts';
import { errorHints } from '../errors/error-hints.ts';
import { limits } from '../policy/limits.ts';
import { currentPlans, tiers } from '../policy/plans/plans.ts';
import { sandbox } from '../policy/sandbox.ts';
import { recipeFields } from '../recipe/recipe-fields.ts';
import { documentationPage } from '../texts/site/pages.ts';
import { toSnakeCaseName, v1Options } from '../v1/fields.ts';
import { changelog } from './changelog.ts';
import { publicErrorCodes } from './public-errors.ts';
import { v1Summaries } from './v1-summaries.ts';

const formatBullets = (rows: readonly string[]) => rows.map((row) => `- ${row}`).join('\n');
const names = Object.keys(v1Summaries) as (keyof typeof v1Summaries)[];
const plansWithApi = tiers.filter((tier) => currentPlans[tier].api).map((tier) => currentPlans[tier].name);

const endpointRows = names.map((name) => {
  const { method, path } = v1Routes[name];
  return `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\`: ${v1Summaries[name].summary}.`;
});
const fieldRows = Object.entries({ ...recipeFields, ...v1Options }).map(
  ([name, { allowed, description }]) => `\`${toSnakeCaseName(name)}\` (${allowed}): ${description}.`,
);
const errorRows = publicErrorCodes.map((code) => {
  const { status, title } = errorCodes[code];
  return `\`${code}\` (${status}): ${[title, errorHints[code]].filter(Boolean).join(' ')}`;
});
const changeRows = changelog.map(({ date, version, changes }) => `${version} (${date}): ${changes.join(' ')}`);

/**
 * Creates the content of /llms.txt (llmstxt.org), which describes the public API to language models. Links start with
 * `publicUrl`.
 */
export function makeLlmsText(publicUrl: string): string {
  const page = (tab: string) => `${publicUrl}${documentationPage}${tab}`;
  return `# Uprez API

> Resizes, converts, and upscales images. One request with an image and a scale factor returns the image, or a job with a link to it. Base URL \`${publicUrl}/v1\`, JSON in snake_case, errors as application/problem+json.

Send \`Authorization: Bearer YOUR_API_KEY\` with each request. Live keys are included in ${plansWithApi.join(', ')}. Every account includes a free sandbox key. Sandbox keys start with \`upz_test_\`. Sandbox keys, and all keys under \`${sandbox.prefix}\`, create small results and are never charged.

\`\`\`sh
curl --fail-with-body --remove-on-error -D - -H "Authorization: Bearer YOUR_API_KEY" -H "Accept: image/*" -F image=@photo.jpg -F scale=4 ${publicUrl}${v1Routes.v1Process.path} -o large.jpg
\`\`\`

With \`Accept: image/*\`, or one type such as \`image/webp\`, the request waits up to ${limits.maxWaitSeconds} seconds and returns 200 with the image. If the image takes longer, it returns 202 without a body: \`Location\` is the URL of the job, and \`/result\` under it returns the image, or 409 \`job_not_finished\`. The command above prints the response headers, and saves nothing if the request is rejected. Without \`Accept\`, the request waits up to ${limits.waitSeconds} seconds and returns 200 with a job that is \`completed\` and has a \`download_url\`, which works without a key for ${limits.downloadLinkMinutes} minutes. If the image takes longer, it returns 202 with a job that is \`queued\` or \`processing\`. Then GET its \`status_url\` every second until the status changes, and download the image from \`download_url\` or from \`/v1/jobs/{id}/result\`. \`Accept: text/event-stream\` returns the changes of the job. Send an \`Idempotency-Key\` with each image. Retry after 429, 5xx, and connection errors, and wait for the number of seconds in \`Retry-After\`. Rejected and failed jobs aren't charged. Canceling is free until \`free_cancel_until\`.

## Documentation

- [Getting started](${page('')}): API keys, the first image, and the response
- [Reference](${page('?tab=reference')}): endpoints, fields, headers, limits, and errors
- [Examples](${page('?tab=examples')}): complete programs in curl, Node.js, Python, PHP, and Go
- [SDKs](${page('?tab=sdks')}): Node.js, Python, PHP, Go, and the \`uprez\` command line
- MCP server for assistants: ${publicUrl}${mcpRoutes.mcp.path} (streamable HTTP, with the same API keys)
- [OpenAPI 3.1](${publicUrl}${v1Routes.v1OpenApi.path}), [Postman collection](${publicUrl}${v1Routes.v1Postman.path})

## Endpoints

${formatBullets(endpointRows)}

## Image options

${formatBullets(fieldRows)}

## Errors

${formatBullets(errorRows)}

## Changelog

${formatBullets(changeRows)}
`;
}
