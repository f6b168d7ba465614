import { readFileSync } from 'node:fs';
import { describeHeif } from '../../src/heif/describe-heif.ts';
import type { CodedImage } from '../../src/heif/read-stored-image.ts';

type Name = 'photo' | 'photo-10' | 'subsampled' | 'grey' | 'alpha';
/** Returns a HEIC file of `test/fixtures/heic`. */
export const heicFixture = (name: Name): Buffer =>
  readFileSync(new URL(`../fixtures/heic/${name}.heic`, import.meta.url));

/** Returns the configuration and the data of the tile of a fixture. */
export function tileOf(name: Name): { config: Buffer; data: Buffer } {
  const file = heicFixture(name);
  const { stored } = describeHeif(file, () => true);
  const [tile] = stored.kind === 'tiles' ? stored.tiles : [];
  const { config, data } = tile as CodedImage;
  const cut = ({ start, end }: { start: number; end: number }) => file.subarray(start, end);
  return { config: cut(config), data: Buffer.concat(data.map(cut)) };
}

export const u8 = (...values: number[]) => Buffer.from(values);
export const u16 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
export const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536) & 65_535, value & 65_535)));

/** Returns a box with these parts. */
export function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(8 + content.length), Buffer.from(type, 'latin1'), content]);
}
const fullBox = (type: string, version: number, ...parts: Buffer[]) => box(type, u8(version, 0, 0, 0), ...parts);

/** The kind of an auxiliary image. */
export const auxC = (urn: string) => fullBox('auxC', 0, Buffer.from(`${urn}\0`, 'latin1'));
export const ispe = (width: number, height: number) => fullBox('ispe', 0, u32(width, height));
export const irot = (quarters: number) => box('irot', u8(quarters));
export const imir = (axis: number) => box('imir', u8(axis));
/** Offsets of the center are in halves of a pixel. */
export const clap = (width: number, height: number, [across, down]: [number, number]) =>
  box('clap', u32(width, 1, height, 1), u32(across >>> 0, 2), u32(down >>> 0, 2));

/**
 * An item of a file. `to`: the items that it is made of, or describes. `links`: further references, a type and items.
 * `copies`: how often the range of its data is listed.
 */
export type HeifItem = {
  type: string;
  data: Buffer;
  properties: Buffer[];
  to?: number[];
  links?: [type: string, ...to: number[]][];
  copies?: number;
};
type HeifFile = { items: HeifItem[]; primary?: number; brand?: string; extra?: Buffer[] };

/** Returns a HEIF file with items of the IDs 1, 2, and so on. `extra`: more boxes of the `meta` box. */
export function makeHeif({ items, primary = 1, brand = 'heic', extra = [] }: HeifFile): Buffer {
  const ftyp = box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1heic`, 'latin1'));
  const properties = items.flatMap((item) => item.properties);
  let next = 0;
  const links = items.map(({ properties: own }, i) => {
    const indices = own.map(() => ++next);
    return Buffer.concat([u16(i + 1), u8(own.length), ...indices.map((index) => u16(index))]);
  });
  const entries = items.map(({ type }, i) => fullBox('infe', 2, u16(i + 1, 0), Buffer.from(`${type}\0`, 'latin1')));
  const references = items.flatMap(({ type, to, links: others = [] }, i) =>
    [...(to ? [[type === 'Exif' ? 'cdsc' : 'dimg', ...to] as const] : []), ...others].map(([name, ...ids]) =>
      box(name, u16(i + 1, ids.length, ...ids)),
    ),
  );
  const build = (offset: number) => {
    let at = offset;
    const places = items.map(({ data, copies = 1 }, i) => {
      at += data.length;
      const range = u32(at - data.length, data.length);
      return Buffer.concat([u16(i + 1, 0, copies), Buffer.alloc(copies * range.length, range)]);
    });
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, u32(0), Buffer.from('pict', 'latin1'), Buffer.alloc(13)),
      fullBox('pitm', 0, u16(primary)),
      fullBox('iloc', 0, u8(0x44, 0), u16(items.length), ...places),
      fullBox('iinf', 0, u16(items.length), ...entries),
      fullBox('iref', 0, ...references),
      box('iprp', box('ipco', ...properties), box('ipma', u8(0, 0, 0, 1), u32(items.length), ...links)),
      ...extra,
    );
  };
  const offset = ftyp.length + build(0).length + 8;
  return Buffer.concat([ftyp, build(offset), box('mdat', ...items.map(({ data }) => data))]);
}

/** Returns a file of one image: a tile of a fixture, 64 x 64 pixels, with further properties. */
export function makeStill({
  name = 'photo' as Name,
  width = 64,
  height = 64,
  properties = [] as Buffer[],
} = {}): Buffer {
  const { config, data } = tileOf(name);
  return makeHeif({
    items: [{ type: 'hvc1', data, properties: [box('hvcC', config), ispe(width, height), ...properties] }],
  });
}

type Grid = { columns: number; rows: number; width: number; height: number; properties?: Buffer[]; tiles?: number };

/** Returns a grid of equal tiles of 64 x 64 pixels. `tiles`: how many there are. */
export function makeGrid({ columns, rows, width, height, properties = [], tiles = columns * rows }: Grid): Buffer {
  const { config, data } = tileOf('photo');
  const items: HeifItem[] = Array.from({ length: tiles }, () => ({
    type: 'hvc1',
    data,
    properties: [box('hvcC', config), ispe(64, 64)],
  }));
  const grid = Buffer.concat([u8(0, 1, rows - 1, columns - 1), u32(width, height)]);
  const to = Array.from({ length: columns * rows }, (_, i) => (i % tiles) + 1);
  return makeHeif({
    items: [...items, { type: 'grid', data: grid, properties: [ispe(width, height), ...properties], to }],
    primary: tiles + 1,
  });
}
