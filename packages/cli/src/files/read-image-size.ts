import { inputFormats } from '@uprez/sdk-node/facts';
import { imageSizeFromFile } from 'image-size/fromFile';

type InputFormat = (typeof inputFormats)[number];
export type ImageSize = { width: number; height: number; format: InputFormat | undefined };

const aliases: Record<string, InputFormat> = { jpg: 'jpeg' };
/** EXIF orientations from 5 on swap width and height. */
const firstRotated = 5;

/** Reads the displayed size and the format of an image from its header. Throws if they can't be read. */
export async function readImageSize(path: string): Promise<ImageSize> {
  const { width, height, type = '', orientation = 1 } = await imageSizeFromFile(path);
  const format = aliases[type] ?? inputFormats.find((name) => name === type);
  return orientation >= firstRotated ? { width: height, height: width, format } : { width, height, format };
}
