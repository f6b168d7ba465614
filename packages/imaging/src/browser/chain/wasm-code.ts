/** Encoded WebAssembly instructions (core specification 2.0, chapter 5). */
export type Code = number[];

/** Encodes an unsigned integer as LEB128. */
export function encodeUnsigned(value: number): Code {
  const bytes: Code = [];
  do {
    const rest = value >>> 7;
    bytes.push((value & 127) | (rest ? 128 : 0));
    value = rest;
  } while (value);
  return bytes;
}

function encodeSigned(value: number): Code {
  const bytes: Code = [];
  for (;;) {
    const byte = value & 127;
    value >>= 7;
    const isLast = (value === 0 && !(byte & 64)) || (value === -1 && (byte & 64) !== 0);
    bytes.push(isLast ? byte : byte | 128);
    if (isLast) return bytes;
  }
}

const vector = (op: number) => [0xfd, ...encodeUnsigned(op)];
const binary = (op: Code) => (a: Code, b: Code) => [...a, ...b, ...op];

export const add = binary(vector(0xe4));
export const sub = binary(vector(0xe5));
export const mul = binary(vector(0xe6));
export const pmin = binary(vector(0xea));
export const pmax = binary(vector(0xeb));
export const addInts = binary([0x6a]);
export const mulInts = binary([0x6c]);
const subInts = binary([0x6b]);
const lessThanInts = binary([0x49]);

export const int = (value: number): Code => [0x41, ...encodeSigned(value)];

/** Encodes a vector constant with the same float in all four lanes. */
export function floats(value: number): Code {
  const bytes = new Uint8Array(Float32Array.of(value, value, value, value).buffer);
  return [...vector(0x0c), ...bytes];
}

export const load = (address: Code, offset: number): Code => [...address, ...vector(0), 4, ...encodeUnsigned(offset)];
export const loadSplat = (address: Code, offset: number): Code => [
  ...address,
  ...vector(9),
  2,
  ...encodeUnsigned(offset),
];
export const store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...vector(11),
  4,
  ...encodeUnsigned(offset),
];

/** Names of a function's parameters and local variables. All parameters are integers. */
export type Locals = { params: string[]; ints: string[]; vectors: string[] };
export type Scope = { get: (name: string) => Code; set: (name: string, value: Code) => Code };

/** Returns functions that encode reading and writing a local variable by name. */
export function openScope({ params, ints, vectors }: Locals): Scope {
  const places = new Map([...params, ...ints, ...vectors].map((name, i) => [name, encodeUnsigned(i)]));
  const placeOf = (name: string): Code => {
    const place = places.get(name);
    if (!place) throw new Error(`there is no local variable ${name}`);
    return place;
  };
  return { get: (name) => [0x20, ...placeOf(name)], set: (name, value) => [...value, 0x21, ...placeOf(name)] };
}

const loop = (body: Code): Code => [0x03, 0x40, ...body, 0x0d, 0, 0x0b];

type RepeatOptions = { name: string; step: number; until: Code };

/**
 * Encodes a loop that increases the variable by `step` after each iteration, and repeats while it is less than `until`.
 */
export const repeat = ({ get, set }: Scope, { name, step, until }: RepeatOptions, body: Code): Code =>
  loop([...body, ...set(name, addInts(get(name), int(step))), ...lessThanInts(get(name), until)]);

/** Encodes a loop that decreases the variable by 1 after each iteration, and repeats until it's 0. */
export const countDown = ({ get, set }: Scope, name: string, body: Code): Code =>
  loop([...body, ...set(name, subInts(get(name), int(1))), ...get(name)]);

export type WasmFunction = { name: string; locals: Locals; body: Code };

const encodeList = (items: Code[]): Code => [...encodeUnsigned(items.length), ...items.flat()];
const encodeText = (value: string): Code => encodeList([...new TextEncoder().encode(value)].map((byte) => [byte]));
const encodeSection = (id: number, items: Code[]): Code => {
  const content = encodeList(items);
  return [id, ...encodeUnsigned(content.length), ...content];
};

const types = { int: 0x7f, vector: 0x7b } as const;

/** Encodes a module that exports functions and imports `env.memory`, which has `pages` pages of 64 KiB. */
export function encodeModule(functions: WasmFunction[], { pages, isShared }: { pages: number; isShared: boolean }) {
  const limits = [isShared ? 3 : 1, ...encodeUnsigned(pages), ...encodeUnsigned(pages)];
  const bodies = functions.map(({ locals: { ints, vectors }, body }) => {
    const groups = encodeList([
      [...encodeUnsigned(ints.length), types.int],
      [...encodeUnsigned(vectors.length), types.vector],
    ]);
    const code = [...groups, ...body, 0x0b];
    return [...encodeUnsigned(code.length), ...code];
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...encodeSection(
      1,
      functions.map(({ locals: { params } }) => [0x60, ...encodeList(params.map(() => [types.int])), 0]),
    ),
    ...encodeSection(2, [[...encodeText('env'), ...encodeText('memory'), 2, ...limits]]),
    ...encodeSection(
      3,
      functions.map((_, i) => encodeUnsigned(i)),
    ),
    ...encodeSection(
      7,
      functions.map(({ name }, i) => [...encodeText(name), 0, ...encodeUnsigned(i)]),
    ),
    ...encodeSection(10, bodies),
  ]);
}
