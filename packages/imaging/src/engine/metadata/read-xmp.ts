import { unescapeXml } from './read-fields.ts';
import { readXmlTags, type XmlTag } from './xml-tags.ts';

/** A property of an XMP packet at any depth. `start` and `end`: its position. `isOwn`: it describes the image itself. */
export type XmpProperty = {
  namespace: string;
  name: string;
  isOwn: boolean;
  texts: string[];
  start: number;
  end: number;
};
export type Xmp = { xml: string; properties: XmpProperty[] };

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
