import { inputFormats } from '@uprez/sdk-node/facts';
import { imageSizeFromFile } from 'image-size/fromFile';

type InputFormat = (typeof inputFormats)[number];
export type Facts = { width: number; height: number; format: InputFormat | undefined };

const aliases: Record<string, InputFormat> = { jpg: 'jpeg' };
/** How a camera was held: from 5 on, on its side. */
const firstTurned = 5;

/** Size of an image as it is looked at, from the beginning of its file. Throws when it cannot be told. */
export async function readImage(path: string): Promise<Facts> {
  const { width, height, type = '', orientation = 1 } = await imageSizeFromFile(path);
  const format = aliases[type] ?? inputFormats.find((name) => name === type);
  return orientation >= firstTurned ? { width: height, height: width, format } : { width, height, format };
}
