import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { expect, it } from 'vitest';
import { calls, parameters } from './reference-data.ts';
import { fieldsOfCall, fieldsOfEvent } from './request-fields.ts';

const document = makeOpenApi('https://uprez.example');
const known = new Set(parameters.map(({ name }) => name));
const names = (name: string) => {
  const call = calls.find((one) => one.name === name);
  return fieldsOfCall(document, { method: call?.method ?? '', path: call?.path ?? '', known }).map(
    ({ place, fields }) => [place, fields.map((field) => field.name)] as const,
  );
};

it('lists the fields of a body, including nested ones', () => {
  expect(names('v1CreateWebhook')).toEqual([['json', ['url', 'description', 'events', 'sandbox']]]);
  const [[place, fields] = []] = names('v1CreateBatch');
  expect(place).toBe('json');
  expect(fields).toEqual(expect.arrayContaining(['recipe', 'items', 'items[].client_id', 'accept_partial']));
  expect(names('v1RotateWebhookSecret')).toEqual([
    ['path', ['id']],
    ['json', ['overlap_hours']],
  ]);
});

it('lists the filters of lists', () => {
  expect(names('v1ListJobs')).toEqual([['query', expect.arrayContaining(['status', 'created_after', 'cursor'])]]);
  expect(names('v1ListEvents')).toEqual([['query', expect.arrayContaining(['after'])]]);
});

it('omits image options', () => {
  expect(names('v1Process').flatMap(([, fields]) => fields)).not.toContain('format');
});

it('has fields for the endpoints that take fields', () => {
  for (const { name, takesFields } of calls) expect([name, names(name).length > 0]).toEqual([name, takesFields]);
});

it('lists the fields of a webhook', () => {
  const [group] = fieldsOfEvent(document, 'job.completed');
  const fields = group?.fields.map(({ name }) => name);
  expect(fields).toEqual(expect.arrayContaining(['id', 'type', 'timestamp', 'data', 'data.job_id', 'data.status_url']));
});
