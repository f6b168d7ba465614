import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { type Box, countStep, type FieldReader, listBoxes, makeFieldReader, type TakeStep } from './read-boxes.ts';

/** A property of an item. `isEssential`: whether readers that don't support it must not show the item. */
export type Property = Box & { isEssential: boolean };
export type Item = {
  id: number;
  /** Item type, such as `hvc1`, `grid`, `Exif`, or `mime`. */
  type: string;
  contentType: string;
  extents: Pick<Box, 'start' | 'end'>[];
  properties: Property[];
};
/** A reference from one item to others: `dimg` (derived from), `auxl` (auxiliary to), or `cdsc` (describes). */
type Reference = { type: string; from: number; to: number[] };
export type Meta = { primary: number | undefined; items: Map<number, Item>; references: Reference[] };

type ReadContext = { file: Buffer; take: TakeStep };

/**
 * Reads the `meta` box of a HEIF file (ISO/IEC 14496-12, 8.11, and 23008-12). Reads only the boxes that this function
 * names, at a fixed depth. Throws AppError `corrupt_image`.
 */
export function readMeta(file: Buffer, meta: Box, take: TakeStep): Meta {
  const reading = { file, take };
  const boxes = listBoxes(file, { start: meta.start + 4, end: meta.end }, take);
  const find = (type: string) => boxes.find((box) => box.type === type);
  const [pitm, iinf, iref, iprp, iloc] = ['pitm', 'iinf', 'iref', 'iprp', 'iloc'].map(find);
  const items = iinf ? readItems(reading, iinf) : new Map<number, Item>();
  if (iprp) readProperties(reading, iprp, items);
  if (iloc) readLocations(reading, { iloc, idat: find('idat'), items });
  return {
    primary: pitm && readId(makeFieldReader(file, pitm)),
    items,
    references: iref ? readReferences(reading, iref) : [],
  };
}

function readId(fields: FieldReader): number {
  const { version } = fields.full();
  return fields.unsigned(version === 0 ? 2 : 4);
}

function readItems({ file, take }: ReadContext, iinf: Box): Map<number, Item> {
  const fields = makeFieldReader(file, iinf);
  const { version } = fields.full();
  fields.advance(version === 0 ? 2 : 4);
  const items = new Map<number, Item>();
  for (const entry of listBoxes(file, { start: fields.at(), end: iinf.end }, take)) {
    const item = entry.type === 'infe' ? readItem(file, entry) : undefined;
    if (item) items.set(item.id, item);
    if (items.size > limits.heifItems) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  }
  return items;
}

/** Reads an item. Returns undefined for versions before 2, which have no type. */
function readItem(file: Buffer, infe: Box): Item | undefined {
  const fields = makeFieldReader(file, infe);
  const { version } = fields.full();
  if (version < 2) return undefined;
  const id = fields.unsigned(version === 2 ? 2 : 4);
  fields.advance(2);
  const type = fields.text(4);
  fields.zeroEnded();
  return { id, type, contentType: type === 'mime' ? fields.zeroEnded() : '', extents: [], properties: [] };
}

function readProperties({ file, take }: ReadContext, iprp: Box, items: Meta['items']): void {
  const boxes = listBoxes(file, iprp, take);
  const container = boxes.find(({ type }) => type === 'ipco');
  const all = container ? listBoxes(file, container, take) : [];
  for (const ipma of boxes.filter(({ type }) => type === 'ipma')) {
    const fields = makeFieldReader(file, ipma);
    const { version, flags } = fields.full();
    for (let entries = fields.unsigned(4); entries > 0; entries--) {
      countStep(take);
      const item = items.get(fields.unsigned(version === 0 ? 2 : 4));
      for (let count = fields.unsigned(1); count > 0; count--) {
        countStep(take);
        const bits = flags & 1 ? 15 : 7;
        const value = fields.unsigned(flags & 1 ? 2 : 1);
        const property = all[(value & (2 ** bits - 1)) - 1];
        if (item && property) item.properties.push({ ...property, isEssential: value >= 2 ** bits });
      }
    }
  }
}

type LocationsInput = { iloc: Box; idat: Box | undefined; items: Meta['items'] };
/** Construction methods: an offset in the file, or an offset in the `idat` box. */
const [inFile, inMeta] = [0, 1];

function readLocations({ file, take }: ReadContext, { iloc, idat, items }: LocationsInput): void {
  const fields = makeFieldReader(file, iloc);
  const { version } = fields.full();
  const [sizes, bases] = [fields.unsigned(1), fields.unsigned(1)];
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = [sizes >> 4, sizes & 15, bases >> 4, bases & 15];
  if ([offsetBytes, lengthBytes, baseBytes, indexBytes].some((bytes) => ![0, 4, 8].includes(bytes)))
    throw new AppError('corrupt_image');
  const idBytes = version < 2 ? 2 : 4;
  for (let count = fields.unsigned(idBytes); count > 0; count--) {
    countStep(take);
    const item = items.get(fields.unsigned(idBytes));
    const method = version === 0 ? inFile : fields.unsigned(2) & 15;
    fields.advance(2);
    const base = fields.unsigned(baseBytes);
    const origin = method === inMeta ? (idat?.start ?? file.length) : 0;
    const until = method === inMeta ? (idat?.end ?? file.length) : file.length;
    for (let extents = fields.unsigned(2); extents > 0; extents--) {
      countStep(take);
      if (version > 0) fields.advance(indexBytes);
      const start = origin + base + fields.unsigned(offsetBytes);
      const length = fields.unsigned(lengthBytes);
      // If the length is 0, the extent continues to the end.
      if (method === inFile || method === inMeta) item?.extents.push({ start, end: length ? start + length : until });
    }
  }
}

function readReferences({ file, take }: ReadContext, iref: Box): Reference[] {
  const idBytes = makeFieldReader(file, iref).full().version === 0 ? 2 : 4;
  return listBoxes(file, { start: iref.start + 4, end: iref.end }, take).map((box) => {
    const fields = makeFieldReader(file, box);
    const from = fields.unsigned(idBytes);
    const to = Array.from({ length: fields.unsigned(2) }, () => {
      countStep(take);
      return fields.unsigned(idBytes);
    });
    return { type: box.type, from, to };
  });
}
