import { describe, expect, it } from 'vitest';
import { cutField, decodeBase64 } from './cut-field.ts';

/** A text in pieces of so many bytes. */
async function* inPieces(text: string, bytes: number): AsyncGenerator<Buffer> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

type Cutting = { text: string; depth?: number; maxRestBytes?: number; pieceBytes?: number };

async function cut({ text, pieceBytes = 1_000, maxRestBytes = 10_000, ...options }: Cutting) {
  const cutter = cutField(inPieces(text, pieceBytes), { field: 'image', maxRestBytes, ...options });
  const values: string[] = [];
  while (await cutter.findValue()) {
    let value = '';
    for await (const piece of cutter.readValue()) value += piece;
    cutter.replaceValue(`#${values.length}`);
    values.push(value);
  }
  return { values, rest: JSON.parse(cutter.rest().toString()) };
}

const sizes = [1, 2, 3, 5, 7, 1_000];

describe('a field that is cut out of JSON', () => {
  const text = JSON.stringify({
    a: 'image',
    '"': { image: 'deep\n' },
    'i\\': ['{', 'image'],
    image: '/+=\u0041"\\',
    n: 1,
  })
    .replaceAll('/', '\\/')
    .replace('A', '\\u0041');

  it.each(sizes)('is read with its escapes, in pieces of %i bytes', async (pieceBytes) => {
    const outer = await cut({ text, depth: 1, pieceBytes });
    expect(outer.values).toEqual(['/+=A"\\']);
    expect(outer.rest).toEqual({ ...JSON.parse(text), image: '#0' });
    const all = await cut({ text, pieceBytes });
    expect(all.values).toEqual(['deep\n', '/+=A"\\']);
  });

  it('is recognized with escapes in its name, and only as a name', async () => {
    expect((await cut({ text: '{"im\\u0061ge" : "x"}' })).values).toEqual(['x']);
    expect((await cut({ text: '{"a":["image","image"],"images":"x","image":[":","y"]}' })).values).toEqual([]);
  });

  it.each(['{"image":"', '{"image":"a\\', '{"image":"\\q"}', '{"image":"a\nb"}'])(
    'is malformed in %j',
    async (text) => {
      await expect(cut({ text })).rejects.toMatchObject({ code: 'malformed_body' });
    },
  );

  it('limits the rest of the text, not the field', async () => {
    const long = 'x'.repeat(50_000);
    expect((await cut({ text: JSON.stringify({ image: long }), maxRestBytes: 100 })).values).toEqual([long]);
    const other = cut({ text: JSON.stringify({ image: 'x', other: long }), maxRestBytes: 100 });
    await expect(other).rejects.toMatchObject({ code: 'file_too_large' });
  });
});

describe('base64 in pieces', () => {
  async function decode(text: string, size: number): Promise<string> {
    const texts = async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    };
    const chunks: Buffer[] = [];
    for await (const chunk of decodeBase64(texts(), () => new Error('refused'))) chunks.push(chunk);
    return Buffer.concat(chunks).toString('latin1');
  }
  const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at * 37) % 256));

  it.each(sizes)('of %i characters is the same as at once', async (size) => {
    for (const length of [0, 1, 2, 3, 200, 999, 1_000]) {
      const part = bytes.subarray(0, length);
      const lines = part.toString('base64').replaceAll(/.{1,76}/g, '$&\r\n');
      for (const text of [part.toString('base64'), part.toString('base64url'), lines, `data:image/png;base64,${lines}`])
        expect(await decode(text, size), text).toBe(part.toString('latin1'));
    }
  });

  it.each(['A*==', 'AA=A', 'AA===', `data:${'x'.repeat(300)};base64,AAAA`, `${'A'.repeat(400)}=${' '.repeat(300)}`])(
    'is refused: %s',
    async (text) => {
      for (const size of [1, 1_000]) await expect(decode(text, size)).rejects.toThrow('refused');
    },
  );
});
