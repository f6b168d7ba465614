import { crc32 } from 'node:zlib';
import { makeImage } from '@uprez/testing/make-image';
import { canary } from './hostile-names.ts';

/** Works in a document, a classic script, and a worker. Reports to the embedding page that it ran. */
const run = `self.__xss=1;try{parent.__xss=1}catch{};try{(opener||self).__xss=1}catch{};try{new Image().src='//${canary}'}catch{};try{postMessage(1)}catch{}`;
/** Runs both as HTML and as a script, because `<!--` starts a comment in either. */
export const bareScript = Buffer.from(`<!-- -->
${run}//<script>${run}</script><svg xmlns="http://www.w3.org/2000/svg" onload="${run.replaceAll('"', '')}"/>
`);
const script = Buffer.from(`*/=1;${run}//<script>${run}</script>`);

/** The bytes of the GIF's width, which also start a comment in JavaScript. */
const commentStart = Buffer.from('/*');
const gif = () =>
  Buffer.concat([
    Buffer.from('GIF89a'),
    commentStart,
    Buffer.from([1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
    script,
  ]);

const withLength = (bytes: number, write: (length: Buffer) => void) => {
  const length = Buffer.alloc(bytes);
  write(length);
  return length;
};

function png(image: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from('tEXtComment\0'), script]);
  const length = withLength(4, (bytes) => bytes.writeUInt32BE(chunk.length - 4));
  const sum = withLength(4, (bytes) => bytes.writeUInt32BE(crc32(chunk)));
  return Buffer.concat([image.subarray(0, 33), length, chunk, sum, image.subarray(33)]);
}

function jpeg(image: Buffer): Buffer {
  const length = withLength(2, (bytes) => bytes.writeUInt16BE(script.length + 2));
  return Buffer.concat([image.subarray(0, 2), Buffer.from([0xff, 0xfe]), length, script, image.subarray(2)]);
}

function webp(image: Buffer): Buffer {
  const text = script.length % 2 === 0 ? script : Buffer.concat([script, Buffer.from(' ')]);
  const length = withLength(4, (bytes) => bytes.writeUInt32LE(text.length));
  const all = Buffer.concat([image, Buffer.from('JUNK'), length, text]);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

/** Creates files that are both an image and a document or script, by image format. */
export const makePolyglots = async () => ({
  gif: gif(),
  png: png(await makeImage({ width: 16, height: 16 })),
  jpeg: jpeg(await makeImage({ width: 16, height: 16, format: 'jpeg' })),
  webp: webp(await makeImage({ width: 16, height: 16, format: 'webp' })),
});

export const pdfPolyglot = Buffer.concat([Buffer.from('%PDF-1.7\n'), bareScript, Buffer.from('\n%%EOF\n')]);
/** Text that doesn't start like any document that browsers recognize. */
export const textPolyglot = Buffer.concat([Buffer.from('/*-*/ '), bareScript]);
