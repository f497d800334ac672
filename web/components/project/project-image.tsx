import { IMAGE_WIDTHS_PX } from '#shared/constants.ts';
import { cn } from '../../ui/class-names.ts';
import { DrawnPicture, Picture } from '../../ui/picture.tsx';

const STORED = /^(\/images\/[\w-]+)\.webp$/;

/** '/images/<hash>.webp' → its smaller copies with their widths; undefined for any other URL. */
export function imageSrcSet(url: string): string | undefined {
  const base = STORED.exec(url)?.[1];
  if (!base) return undefined;
  return IMAGE_WIDTHS_PX.map((width) => `${base}-${width}.webp ${width}w`).join(', ');
}

interface ProjectImageProps {
  src: string;
  /** Name of the project; the placeholder of a missing file begins with it. */
  name: string;
  /** '' where the name is beside it. */
  alt: string;
  /** Size of the place in CSS px: the browser picks the file by it, and nothing moves when it arrives. */
  width: number;
  height: number;
  /** Overrides `sizes` where the place depends on the viewport. */
  sizes?: string;
  /** True for the picture that a visitor sees first. */
  eager?: boolean;
  /** When it is fetched; by default an eager picture comes first. */
  priority?: 'high' | 'low';
  className?: string;
}

/** A project's picture, cropped to its place; drawn where the file is missing. */
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
      className={cn('bg-raised object-cover', className)}
      fallback={<DrawnPicture name={name} alt={alt} width={width} height={height} className={className} />}
    />
  );
}
