import * as z from 'zod';

export const imageUrlSchema = z.object({ imageUrl: z.string().trim().describe('URL of an image.') });
