import fc from 'fast-check';

/** Texts that often break parsers. */
export const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u202Egnp.exe',
  '\uD800',
  '👩‍👩‍👧‍👦'.repeat(40),
  'e\u0301'.repeat(100),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e308',
  '1e-308',
  '0x10',
  '٣',
  '9'.repeat(400),
  `0.${'0'.repeat(300)}1`,
  'true',
  "'; drop table jobs; --",
  '{{7*7}}',
  '%s%s%n',
  '%2e%2e%2f',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\r\nX-Injected: 1',
  `${'a'.repeat(50_000)}!`,
  `${'0-'.repeat(20_000)}x`,
  `#${'f'.repeat(10_000)}`,
] as const;

const numbers = [-1, 0, -0, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, 5e-324, -1e308, 129, 101] as const;

/** Values of another type, too large, or empty. */
export const brokenValue = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(...numbers),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { toString: 1 }, { $ref: '#' }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.jsonValue({ maxDepth: 3 }),
);

export const brokenText = fc.oneof(
  fc.constantFrom<string>(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.integer().map(String),
);

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Unknown parameter names, some of them properties of every object. */
const strangeNames = [
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'scale_factor ',
  'SCALE',
  'a.b',
  'a[b]',
  '',
];

type Change = (value: Record<string, unknown>) => fc.Arbitrary<unknown>;
const changes: Change[] = [
  // Replaces a value.
  (value) =>
    fc
      .tuple(fc.constantFrom(...Object.keys(value), 'image'), brokenValue)
      .map(([name, broken]) => ({ ...value, [name]: broken })),
  // Removes a field.
  (value) =>
    fc
      .constantFrom(...Object.keys(value), 'image')
      .map((name) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== name))),
  // Adds an unknown field.
  (value) =>
    fc
      .tuple(fc.constantFrom(...strangeNames), brokenValue)
      .map(([name, extra]) =>
        JSON.parse(
          `{"${name}":${JSON.stringify(extra) ?? 'null'},${JSON.stringify(value).slice(1)}`.replace(/,\}$/, '}'),
        ),
      ),
  // Adds 1,000 unknown fields.
  (value) => fc.constant({ ...value, ...Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, at])) }),
  // Changes a nested value.
  (value) => {
    const inner = Object.entries(value).filter(([, one]) => isObject(one) || Array.isArray(one));
    return inner.length === 0
      ? brokenValue
      : fc
          .constantFrom(...inner)
          .chain(([name, one]) => breakValue(one).map((broken) => ({ ...value, [name]: broken })));
  },
  // Appends a character that PostgreSQL cannot store.
  (value) => {
    const texts = Object.entries(value).filter(([, one]) => typeof one === 'string');
    return texts.length === 0
      ? brokenValue
      : fc
          .tuple(fc.constantFrom(...texts), fc.constantFrom('\u0000', '\uD800'))
          .map(([[name, text], bad]) => ({ ...value, [name]: `${text}${bad}` }));
  },
  // Replaces the whole value.
  () => brokenValue,
];

/** Generates a copy of the value with one invalid change. */
export function breakValue(value: unknown): fc.Arbitrary<unknown> {
  if (isObject(value)) return fc.constantFrom(...changes).chain((change) => change(value));
  if (!Array.isArray(value)) return brokenValue;
  return fc.oneof(
    fc.constant(Array.from({ length: 300 }, () => value[0] ?? null)),
    fc.constant([...value, ...value]),
    fc.constant([]),
    value.length === 0 ? brokenValue : breakValue(value[0]).map((broken) => [broken, ...value.slice(1)]),
  );
}
