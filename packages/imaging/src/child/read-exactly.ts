import type { Readable } from 'node:stream';

/** Reads the next `sizeBytes` bytes of a stream without consuming more. Throws Error if the stream ends early. */
export async function readExactly(stream: Readable, sizeBytes: number): Promise<Buffer> {
  const file = Buffer.allocUnsafeSlow(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    const chunk: Buffer | null = stream.read(Math.min(stream.readableLength, sizeBytes - at));
    if (chunk) at += chunk.copy(file, at);
    else await waitForData(stream, sizeBytes - at);
  }
  return file;
}

async function waitForData(stream: Readable, missing: number): Promise<void> {
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
