import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { namespaces } from './xmp-names.ts';

export type XmpValue =
  | { kind: 'text'; text: string; language?: string | undefined }
  | { kind: 'list'; items: XmpValue[] }
  | { kind: 'fields'; fields: XmpProperties };
/** Values by property name with the usual prefix, such as `dc:title`. For other namespaces, the prefix is the URI. */
export type XmpProperties = Map<string, XmpValue>;

const rdfNamespace = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
const xmpNoteNamespace = 'http://ns.adobe.com/xmp/note/';
const maxBytes = 4 * 1024 * 1024;
const maxNamespaces = 200;
/** Maximum nesting depth. Real packets are far less deep. */
const maxDepth = 32;

const prefixes = new Map<string, string>([
  ...Object.entries(namespaces).map(([prefix, uri]) => [uri, prefix] as const),
  [xmpNoteNamespace, 'xmpNote'],
]);
const nameOf = (uri: string, local: string) => `${prefixes.get(uri) ?? uri}:${local}`;

/**
 * Parses the properties of an image in an XMP packet (ISO 16684-1). They can be elements or attributes, with any
 * prefixes. Returns undefined unless the packet is well-formed XML of reasonable size without a document type.
 */
export function readXmp(packet: Buffer): XmpProperties | undefined {
  const text = packet.length > maxBytes ? undefined : decodePacket(packet);
  try {
    const root = text && parseElements(text);
    return root ? readPacket(root) : undefined;
  } catch {
    return undefined;
  }
}

const decoders = { utf8: 'utf-8', little: 'utf-16le', big: 'utf-16be' } as const;

/** Decodes a packet, which may be UTF-16. Removes processing instructions and padding around the XML. */
function decodePacket(packet: Buffer): string | undefined {
  const start = packet.toString('latin1', 0, 2);
  const isBig = start === '\xfe\xff' || start === '\0<';
  const isLittle = start === '\xff\xfe' || start === '<\0';
  const encoding = decoders[isBig ? 'big' : isLittle ? 'little' : 'utf8'];
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(packet).replaceAll('\0', '');
    return dropSpans(text, '<?', '?>')?.trim();
  } catch {
    return undefined;
  }
}

/** Removes all spans between two delimiters. Returns undefined if a span isn't closed. */
function dropSpans(text: string, open: string, close: string): string | undefined {
  let kept = '';
  let at = 0;
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, at)) {
    const end = text.indexOf(close, start + open.length);
    if (end < 0) return undefined;
    kept += text.slice(at, start);
    at = end + close.length;
  }
  return kept + text.slice(at);
}

type XmlElement = {
  uri: string;
  local: string;
  attributes: SaxesAttributeNS[];
  children: XmlElement[];
  text: string;
};

/**
 * Parses XML. Throws Error if it isn't well formed, has a document type, or is too complex. Names with undeclared
 * prefixes have no namespace.
 */
function parseElements(text: string): XmlElement | undefined {
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let declared = 0;
  parser.on('error', (error) => {
    if (!error.message.includes('unbound namespace prefix')) throw error;
  });
  parser.on('doctype', () => {
    throw new Error('document types are not allowed');
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    const element = {
      uri: tag.uri,
      local: tag.local,
      attributes: Object.values(tag.attributes),
      children: [],
      text: '',
    };
    declared += element.attributes.filter(({ prefix, name }) => prefix === 'xmlns' || name === 'xmlns').length;
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
    if (open.length > maxDepth || declared > maxNamespaces) throw new Error('the packet is too complex');
  });
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root;
}

const isRdf = ({ uri, local }: Pick<XmlElement, 'uri' | 'local'>, ...names: string[]) =>
  uri === rdfNamespace && names.includes(local);

function readPacket(root: XmlElement): XmpProperties | undefined {
  const container = isRdf(root, 'RDF') ? root : root.children.find((child) => isRdf(child, 'RDF'));
  if (!container) return undefined;
  const properties: XmpProperties = new Map();
  for (const description of container.children.filter((child) => isRdf(child, 'Description')))
    for (const [name, value] of readXmpFields(description)) if (!properties.has(name)) properties.set(name, value);
  return properties;
}

/** Reads the properties of an element. XMP stores each property as an attribute or as a child element. */
function readXmpFields({ attributes, children }: XmlElement): XmpProperties {
  const fields: XmpProperties = new Map();
  for (const { uri, local, value } of attributes.filter(isProperty))
    fields.set(nameOf(uri, local), { kind: 'text', text: value });
  for (const child of children.filter(({ uri }) => uri !== rdfNamespace)) {
    const value = readValue(child);
    if (value) fields.set(nameOf(child.uri, child.local), value);
  }
  return fields;
}

const isProperty = ({ uri, prefix, name }: SaxesAttributeNS) =>
  uri !== rdfNamespace && uri !== xmlNamespace && prefix !== 'xmlns' && name !== 'xmlns';

function readValue(element: XmlElement): XmpValue | undefined {
  const { attributes, children } = element;
  const find = (uri: string, local: string) =>
    attributes.find((attribute) => attribute.uri === uri && attribute.local === local)?.value;
  const list = children.find((child) => isRdf(child, 'Seq', 'Bag', 'Alt'));
  const items = list?.children.filter((child) => isRdf(child, 'li')).flatMap((item) => readValue(item) ?? []);
  if (items) return items.length > 0 ? { kind: 'list', items } : undefined;
  const inner =
    find(rdfNamespace, 'parseType') === 'Resource' ? element : children.find((child) => isRdf(child, 'Description'));
  const qualified = inner?.children.find((child) => isRdf(child, 'value'));
  if (qualified) return readValue(qualified);
  const hasFields = inner ?? (attributes.some(isProperty) && element.text.trim() === '' && children.length === 0);
  if (hasFields) return { kind: 'fields', fields: readXmpFields(inner ?? element) };
  const text =
    find(rdfNamespace, 'resource') ?? find(rdfNamespace, 'value') ?? (children.length === 0 ? element.text : '');
  return text.trim() === '' ? undefined : { kind: 'text', text, language: find(xmlNamespace, 'lang') };
}
