import { unescapeXml } from './exif-fields.ts';
import { locationForms, namespaces, type XmpName, type XmpTexts } from './write-xmp.ts';

/** A property of an XMP packet at any depth. `start` and `end`: its position. `isOwn`: it describes the image itself. */
type XmpProperty = {
  namespace: string;
  name: string;
  isOwn: boolean;
  texts: string[];
  start: number;
  end: number;
};
type Xmp = { xml: string; properties: XmpProperty[] };

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const maxBytes = 1024 * 1024;
const maxNamespaces = 200;

/** Parse an XMP packet (ISO 16684-1). Returns undefined for anything but plain UTF-8 XML, so it is not copied. */
export function readXmp(block: Buffer): Xmp | undefined {
  if (block.length > maxBytes) return undefined;
  const text = block
    .toString('utf8')
    .replaceAll('\0', '')
    .replace(/^\ufeff/, '');
  const plain = text.includes('\ufffd') ? undefined : dropSpans(dropSpans(text, '<!--', '-->'), '<?', '?>');
  const xml = plain?.trim() ?? '';
  const tags = readXmlTags(xml);
  const declared = tags?.flatMap(({ attributes }) => attributes.filter(({ name }) => name.startsWith('xmlns'))) ?? [];
  return tags && declared.length <= maxNamespaces ? { xml, properties: listProperties(xml, tags) } : undefined;
}

/** Remove all spans between two delimiters. Returns undefined when one is not closed. */
function dropSpans(text: string | undefined, open: string, close: string): string | undefined {
  let kept = '';
  let at = 0;
  for (let start = text?.indexOf(open) ?? -1; text && start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) return undefined;
    kept += text.slice(at, start);
    at = end + close.length;
  }
  return text && kept + text.slice(at);
}

type Scope = { name: string; start: number; isOwn: boolean; prefixes: Map<string, string> };

function listProperties(xml: string, tags: XmlTag[]): XmpProperty[] {
  const properties: XmpProperty[] = [];
  const scopes: Scope[] = [];
  for (const tag of tags) {
    if (tag.isEnd) {
      properties.push(elementProperty(xml, scopes.pop() as Scope, tag.end));
      continue;
    }
    const outer = scopes.at(-1);
    const prefixes = addPrefixes(outer?.prefixes ?? new Map(), tag);
    const scope = { name: tag.name, start: tag.start, isOwn: isDescription(outer), prefixes };
    for (const { name, value, start, end } of tag.attributes)
      if (name.includes(':') && !name.startsWith('xml')) {
        const texts = [unescapeXml(value)];
        properties.push({ ...resolve(name, prefixes), isOwn: isDescription(scope), texts, start, end });
      }
    if (tag.isEmpty) properties.push(elementProperty(xml, scope, tag.end));
    else scopes.push(scope);
  }
  return properties.filter(({ namespace }) => namespace !== rdf);
}

function addPrefixes(outer: Map<string, string>, { attributes }: XmlTag): Map<string, string> {
  const added = attributes.filter(({ name }) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (added.length === 0) return outer;
  return new Map([...outer, ...added.map(({ name, value }) => [name.slice(6), unescapeXml(value)] as const)]);
}

function resolve(qualified: string, prefixes: Map<string, string>) {
  const [name = '', prefix = ''] = qualified.split(':').reverse();
  return { namespace: prefixes.get(prefix) ?? prefix, name };
}

function isDescription(scope: Scope | undefined): boolean {
  if (!scope) return false;
  const { namespace, name } = resolve(scope.name, scope.prefixes);
  return namespace === rdf && name === 'Description';
}

/** The property of an element. A list (Seq, Bag, Alt) has one text per entry. */
function elementProperty(xml: string, { name, start, isOwn, prefixes }: Scope, end: number): XmpProperty {
  const inside = xml.slice(start, end);
  const texts = inside.split(/<[^>]*>/).map((text) => unescapeXml(text).trim());
  return { ...resolve(name, prefixes), isOwn, texts: texts.filter((text) => text !== ''), start, end };
}

/** A tag of an XML text, at positions `start` to `end`. */
type XmlTag = {
  name: string;
  attributes: XmlAttribute[];
  isEnd: boolean;
  isEmpty: boolean;
  start: number;
  end: number;
};
type XmlAttribute = { name: string; value: string; start: number; end: number };

const tag = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const attribute = /(\s+)([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Real packets are far less deep. The time for hostile ones would grow quadratically with their depth. */
const maxDepth = 32;

/** Parse the tags of well-formed XML without a document type or entities. Returns undefined for other texts. */
function readXmlTags(xml: string): XmlTag[] | undefined {
  const tags: XmlTag[] = [];
  const open: string[] = [];
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    tag.lastIndex = at;
    const found = tag.exec(xml);
    if (!found) return undefined;
    const [whole, slash, name = '', inside = '', empty] = found;
    const start = at;
    at += whole.length;
    const attributes = Array.from(inside.matchAll(attribute), (match) => {
      const from = start + 1 + name.length + match.index;
      return { name: match[2] ?? '', value: match[3] ?? match[4] ?? '', start: from, end: from + match[0].length };
    });
    tags.push({ name, attributes, isEnd: slash === '/', isEmpty: empty === '/', start, end: at });
    if (slash === '/' && open.pop() !== name) return undefined;
    if (slash !== '/' && empty !== '/') open.push(name);
    if (open.length > maxDepth) return undefined;
  }
  return open.length === 0 && tags.length > 0 ? tags : undefined;
}

const nameOf = ({ namespace, name }: XmpProperty) => {
  const [prefix = ''] = Object.entries(namespaces).find(([, uri]) => uri === namespace) ?? [];
  return `${prefix}:${name}`;
};

/** Thumbnails and descriptions of the old file. */
const droppedNames = new Set([
  'xmp:Thumbnails',
  'tiff:Orientation',
  'exif:NativeDigest',
  'tiff:NativeDigest',
  'exif:MakerNote',
]);
const locationNames = new Set([
  ...Object.keys(locationForms),
  ...['Iptc4xmpExt:LocationCreated', 'Iptc4xmpExt:LocationShown', 'exif:SubjectLocation'],
]);
/** GPS properties have the same names in every namespace, including undeclared ones. */
const isLocation = (name: string) => locationNames.has(name) || name.includes(':GPS');

/** Remove orientation and thumbnails from a packet, and the location unless `gps` is set. */
export function filterXmp({ xml, properties }: Xmp, gps: boolean): string {
  const removed = properties.filter((property) => {
    const name = nameOf(property);
    return droppedNames.has(name) || (!gps && isLocation(name));
  });
  let text = '';
  let at = 0;
  for (const { start, end } of removed.sort((a, b) => a.start - b.start)) {
    if (start > at) text += xml.slice(at, start);
    at = Math.max(at, end);
  }
  return text + xml.slice(at);
}

/** The texts of the image's own properties with these names. */
export function pickXmp({ properties }: Xmp, names: readonly XmpName[]): XmpTexts {
  const picked: XmpTexts = {};
  for (const property of properties) {
    const name = names.find((wanted) => wanted === nameOf(property));
    if (name && property.isOwn && property.texts.length > 0) picked[name] ??= property.texts;
  }
  return picked;
}
