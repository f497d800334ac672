import type { ReactNode } from 'react';
import { cn } from '../../ui/class-names.ts';
import { ProjectImage } from './project-image.tsx';

interface PictureLineProps {
  project: { name: string; imageUrl: string };
  /** In CSS px; the height follows. */
  width: number;
  className?: string;
  children: ReactNode;
}

/** A small picture and the words beside it. */
export function PictureLine({
  project: { name, imageUrl },
  width,
  className = 'items-start',
  children,
}: PictureLineProps) {
  return (
    <div className={cn('flex gap-3', className)}>
      <ProjectImage
        src={imageUrl}
        name={name}
        alt=""
        width={width}
        height={(width * 4) / 3}
        className="aspect-3/4 shrink-0 rounded-md"
      />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
