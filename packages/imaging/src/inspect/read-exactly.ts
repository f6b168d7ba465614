import type { Readable } from 'node:stream';

/** The next `sizeBytes` bytes of a stream that goes on afterwards. Throws Error when it ends before. */
export async function readExactly(stream: Readable, sizeBytes: number): Promise<Buffer> {
  const file = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    const chunk: Buffer | null = stream.read(Math.min(stream.readableLength, sizeBytes - at));
    if (chunk) at += chunk.copy(file, at);
    else await moreData(stream, sizeBytes - at);
  }
  return file;
}

/** Wait until a stream has bytes to read. */
async function moreData(stream: Readable, missing: number): Promise<void> {
  if (stream.readableEnded || stream.destroyed) throw new Error(`the stream ended ${missing} bytes early`);
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      stream.off('readable', onReadable).off('end', onEnd).off('error', settle);
      if (error) reject(error);
      else resolve();
    };
    const onReadable = () => settle();
    const onEnd = () => settle(new Error(`the stream ended ${missing} bytes early`));
    stream.on('readable', onReadable).on('end', onEnd).on('error', settle);
  });
}
