import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import '@hyperjump/json-schema/formats';
import { registerSchema, setShouldValidateFormat, validate } from '@hyperjump/json-schema/openapi-3-1';
import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { isLeftOut } from '@uprez/testing/programs/toolchains';
import { expect, it } from 'vitest';
import { runIn } from './support/sdks.ts';

const url = 'https://uprez.example/v1/openapi.json';
type Json = null | boolean | number | string | Json[] | Node;
type Node = { [key: string]: Json };
const document = JSON.parse(JSON.stringify(makeOpenApi('https://uprez.example'))) as Node;
setShouldValidateFormat(true);
registerSchema(document, url, 'https://spec.openapis.org/oas/3.1/dialect/base');

const escapeKey = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** Lists all objects of a document with their JSON pointers. */
function listNodes(value: Json, pointer = ''): [pointer: string, node: Node][] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.entries(value).flatMap(([key, one]) => listNodes(one as Json, `${pointer}/${escapeKey(key)}`));
  return Array.isArray(value) ? inner : [[pointer, value as Node], ...inner];
}
const nodes = listNodes(document);

/** Lists the errors of a value, such as `https://json-schema.org/keyword/type at #/width`. */
async function findErrors(schema: string, value: Json): Promise<string[]> {
  const output = await validate(schema, value, 'BASIC');
  return output.valid
    ? []
    : (output.errors ?? []).map(({ keyword, instanceLocation }) => `${keyword} at ${instanceLocation}`);
}

it('is valid for a validator that shares no code with our own', async () => {
  expect(await findErrors('https://spec.openapis.org/oas/3.1/schema-base', document)).toEqual([]);
});

it('has examples that are valid for it, too', async () => {
  const found = nodes.flatMap(([pointer, { schema, example, examples }]) => {
    if (!schema) return [];
    const values = [example, ...Object.values((examples ?? {}) as Record<string, Node>).map(({ value }) => value)];
    return values.flatMap((value) => (value === undefined ? [] : [{ schema: `${url}#${pointer}/schema`, value }]));
  });
  expect(found.length).toBeGreaterThan(100);
  for (const { schema, value } of found) expect(await findErrors(schema, value), schema).toEqual([]);
});

const patterns = [
  ...new Set(
    nodes.flatMap(([, { pattern, patternProperties }]) => [
      ...(typeof pattern === 'string' ? [pattern] : []),
      ...Object.keys((patternProperties as Node | undefined) ?? {}),
    ]),
  ),
];

it('has patterns that compile in JavaScript without flags', () => {
  expect(patterns.length).toBeGreaterThan(5);
  for (const pattern of patterns) expect(() => new RegExp(pattern), pattern).not.toThrow();
});

const goProgram = `package main

import (
	"encoding/json"
	"os"
	"regexp"
)

func main() {
	var patterns []string
	if err := json.Unmarshal([]byte(os.Args[1]), &patterns); err != nil {
		panic(err)
	}
	for _, pattern := range patterns {
		regexp.MustCompile(pattern)
	}
}
`;
const phpProgram = `foreach (json_decode($argv[1], flags: JSON_THROW_ON_ERROR) as $pattern)
  if (preg_match("\\x01$pattern\\x01", "") === false) exit(1);`;

it.skipIf(isLeftOut('python'))('has patterns that compile in Python', () =>
  runIn('python', [
    'python3',
    '-c',
    'import json, re, sys\nfor pattern in json.loads(sys.argv[1]): re.compile(pattern)',
    JSON.stringify(patterns),
  ]),
);

it.skipIf(isLeftOut('php'))('has patterns that compile in PHP', () =>
  runIn('php', ['php', '-r', phpProgram, '--', JSON.stringify(patterns)]),
);

it.skipIf(isLeftOut('go'))('has patterns that compile in Go', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-patterns-'));
  try {
    await fs.writeFile(path.join(folder, 'main.go'), goProgram);
    await runIn('go', ['go', 'run', 'main.go', JSON.stringify(patterns)], { cwd: folder });
  } finally {
    await fs.rm(folder, { recursive: true });
  }
});
