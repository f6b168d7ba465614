import { inflateSync } from 'node:zlib';
import { decodeText } from './decode-text.ts';
import type { MetadataBlocks } from './metadata-blocks.ts';

const signatureBytes = 8;
/** Of all packed texts of a file together. More than programs write. */
const maxUnpackedBytes = 16 * 1024 * 1024;
/** Deflate packs at most this many bytes into one (zlib Technical Details). */
const maxRatio = 1_032;
const xmpKeyword = 'XML:com.adobe.xmp';
/** ImageMagick stores blocks as hexadecimal texts. */
const rawProfile = /^Raw profile type (exif|APP1|xmp|iptc|8bim)$/;
const exifHeader = Buffer.from('Exif\0\0', 'latin1');

type Text = { keyword: string; bytes: Buffer };
type Inflate = (data: Buffer) => Buffer | undefined;

/** Read the chunks of a PNG, also those after the pixels. */
export function readPngBlocks(file: Buffer): MetadataBlocks {
  const blocks: MetadataBlocks = { xmp: [], texts: [] };
  const inflate = makeInflate();
  for (let at = signatureBytes; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, end);
    if (type === 'eXIf') blocks.exif ??= withoutHeader(data);
    else if (type in textReaders) addText(blocks, textReaders[type as keyof typeof textReaders](data, inflate));
    at = end + 4;
  }
  return blocks;
}

const withoutHeader = (data: Buffer) =>
  data.subarray(0, exifHeader.length).equals(exifHeader) ? data.subarray(exifHeader.length) : data;

function addText(blocks: MetadataBlocks, text: Text | undefined): void {
  if (!text) {
    blocks.unread = true;
    return;
  }
  const { keyword, bytes } = text;
  const [, profile] = rawProfile.exec(keyword) ?? [];
  if (keyword === xmpKeyword) blocks.xmp.push(bytes);
  else if (profile) addProfile(blocks, profile, bytes);
  else blocks.texts.push({ keyword, text: decodeText(bytes) });
}

/** A profile is a name, its length, and hexadecimal digits, on lines of their own. */
function addProfile(blocks: MetadataBlocks, name: string, bytes: Buffer): void {
  const [, digits = ''] = /^\s*\S+\s+\d+\s+([\da-f\s]*)/i.exec(bytes.toString('latin1')) ?? [];
  const data = Buffer.from(digits.replaceAll(/\s/g, ''), 'hex');
  if (data.length === 0) return;
  const isPacket = name === 'xmp' || (name === 'APP1' && data.includes('<'));
  if (isPacket) blocks.xmp.push(data.subarray(Math.max(0, data.indexOf('<'))));
  else if (name === 'exif' || name === 'APP1') blocks.exif ??= withoutHeader(data);
  else blocks.iptc ??= data;
}

/** Texts are Latin-1, except those of `iTXt` (PNG 3, 11.3.3). */
const textReaders = { tEXt: readPlain, zTXt: readCompressed, iTXt: readInternational };

function splitAtZero(data: Buffer): [head: string, rest: Buffer] {
  const zero = data.indexOf(0);
  return zero < 0 ? ['', Buffer.alloc(0)] : [data.toString('latin1', 0, zero), data.subarray(zero + 1)];
}

function readPlain(data: Buffer): Text {
  const [keyword, bytes] = splitAtZero(data);
  return { keyword, bytes };
}

function readCompressed(data: Buffer, inflate: Inflate): Text | undefined {
  const [keyword, rest] = splitAtZero(data);
  const bytes = inflate(rest.subarray(1));
  return bytes && { keyword, bytes };
}

function readInternational(data: Buffer, inflate: Inflate): Text | undefined {
  const [keyword, rest] = splitAtZero(data);
  const [, afterLanguage] = splitAtZero(rest.subarray(2));
  const [, value] = splitAtZero(afterLanguage);
  const bytes = rest[0] === 1 ? inflate(value) : value;
  return bytes && { keyword, bytes };
}

/** Make a function that unpacks the texts of one file. It returns undefined for damaged texts, and when the limit is reached. */
function makeInflate(): Inflate {
  let left = maxUnpackedBytes;
  return (data) => {
    try {
      const bytes = left > 0 ? inflateSync(data, { maxOutputLength: left }) : undefined;
      left -= bytes?.length ?? 0;
      return bytes;
    } catch {
      // How much was unpacked before the error isn't known.
      left -= Math.min(left, data.length * maxRatio);
      return undefined;
    }
  };
}
