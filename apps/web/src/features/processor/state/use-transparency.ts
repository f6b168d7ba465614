import { useQuery } from '@tanstack/react-query';
import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { SourceImage } from './image.ts';

/** Whether a format would lose transparent areas of an image. The pixels are examined only if they could be lost. */
export function useTransparency({ source, url, traits }: SourceImage, format: OutputFormat | undefined): boolean {
  const isAtRisk = traits?.hasAlpha === true && format !== undefined && !formatTraits[format].alpha;
  const { data = false } = useQuery({
    queryKey: ['transparency', url],
    queryFn: async () => (await import('./find-transparency.ts')).findTransparency(source),
    enabled: isAtRisk,
  });
  return isAtRisk && data;
}
