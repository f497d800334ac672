import { IMAGE_WIDTHS_PX } from '#shared/constants.ts';
import { cn } from '../../ui/class-names.ts';
import { DrawnPicture, Picture } from '../../ui/picture.tsx';

const STORED = /^(\/images\/[\w-]+)\.webp$/;

export function imageSrcSet(url: string): string | undefined {
  const base = STORED.exec(url)?.[1];
  if (!base) return undefined;
  return IMAGE_WIDTHS_PX.map((width) => `${base}-${width}.webp ${width}w`).join(', ');
}

interface ProjectImageProps {
  src: string;
  name: string;
  alt: string;
  /** Size of the place in CSS px: the browser picks the file by it, and nothing moves when it arrives. */
  width: number;
  height: number;
  sizes?: string;
  eager?: boolean;
  priority?: 'high' | 'low';
  className?: string;
}

export function ProjectImage({
  src,
  name,
  alt,
  width,
  height,
  sizes,
  eager = false,
  priority,
  className,
}: ProjectImageProps) {
  const drawn = <DrawnPicture name={name} alt={alt} width={width} height={height} className={className} />;
  if (src === '') return drawn;
  return (
    <Picture
      src={src}
      srcSet={imageSrcSet(src)}
      sizes={sizes ?? `${width}px`}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={priority ?? (eager ? 'high' : 'auto')}
      decoding="async"
      draggable={false}
      data-grows
      className={cn('bg-raised object-cover', className)}
      fallback={drawn}
    />
  );
}
