import { ImagePlus, RefreshCw } from 'lucide-react';
import { useId, useState, type DragEvent } from 'react';
import { PROJECT_FIELDS } from '#shared/listings/project-fields.ts';
import { IMAGE_TYPES, ImageFileError, readImageFile } from '../../lib/image-file.ts';
import { cn } from '../../ui/class-names.ts';
import { FileInput } from '../../ui/field.tsx';
import { DrawnPicture, Picture } from '../../ui/picture.tsx';

interface ProjectImageFieldProps {
  value: string;
  error?: string | null;
  disabled?: boolean;
  onChange: (dataUrl: string) => void;
  onError: (message: string) => void;
}

const HINT = '3:4, at least 500x500, at most 5MB recommended. PNG, JPEG, WebP, GIF or AVIF.';

export function ProjectImageField({ value, error, disabled, onChange, onError }: ProjectImageFieldProps) {
  const id = useId();
  const [over, setOver] = useState(false);

  async function take(file: File | undefined): Promise<void> {
    if (!file || disabled) return;
    try {
      onChange((await readImageFile(file)).dataUrl);
    } catch (error) {
      onError(error instanceof ImageFileError ? error.message : 'This file cannot be read. Please try another.');
    }
  }
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver && !disabled);
  };

  return (
    <div className="grid content-start gap-1.5 max-sm:w-full">
      <label htmlFor={id} className="font-semibold">
        {PROJECT_FIELDS.imageUrl.label}
      </label>
      <div
        onDragOver={drag(true)}
        onDragLeave={drag(false)}
        onDrop={(event) => {
          drag(false)(event);
          void take(event.dataTransfer.files[0]);
        }}
        className={cn(
          'group relative grid aspect-3/4 w-46 place-items-center overflow-hidden rounded-xl border-2 bg-bg transition-colors focus-within:border-accent hover:border-accent',
          value === '' && 'min-h-fit border-dashed max-sm:aspect-auto max-sm:w-full',
          over
            ? 'border-accent bg-accent-soft'
            : error
              ? 'border-text'
              : value
                ? 'border-line'
                : 'border-line-strong/60',
        )}
      >
        <FileInput
          id={id}
          accept={IMAGE_TYPES}
          disabled={disabled}
          data-field="imageUrl"
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          aria-invalid={error ? true : undefined}
          onFile={(file) => void take(file)}
          className="grid size-full place-items-center rounded-[inherit]"
        >
          {value ? (
            <>
              <Picture
                src={value}
                alt="Preview of the project"
                className="absolute inset-0 size-full object-cover"
                fallback={
                  <DrawnPicture name="" alt="" width={300} height={400} className="absolute inset-0 size-full" />
                }
              />
              <span className="absolute inset-x-3 bottom-3 inline-flex min-h-11 items-center justify-center gap-2 rounded-full border border-line bg-surface px-4 text-sm font-semibold text-text shadow-card">
                <RefreshCw aria-hidden size={16} />
                Change image
              </span>
            </>
          ) : (
            <span className="grid justify-items-center gap-1 p-3 text-center">
              <ImagePlus aria-hidden size={26} className="text-link" />
              <span className="font-semibold text-text">Drop an image here</span>
              <span className="text-sm text-muted">or click to choose one</span>
              <span aria-hidden className="mt-1 text-xs text-faint">
                {HINT}
              </span>
            </span>
          )}
        </FileInput>
      </div>
      <p id={`${id}-hint`} className="sr-only">
        {HINT}
      </p>
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-text">
          {error}
        </p>
      ) : null}
    </div>
  );
}
