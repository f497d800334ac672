import { ImageUp, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { User } from '#shared/contract/types.ts';
import { UserAvatar } from '../../components/user/user-avatar.tsx';
import { IMAGE_TYPES, ImageFileError, readImageFile } from '../../lib/image-file.ts';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { FileInput } from '../../ui/field.tsx';

const RECOMMENDED_PX = 200;

interface AvatarFieldProps {
  user: User;
  avatarUrl: string | null;
  error: string | undefined;
  onPick: (dataUrl: string | null) => void;
  onError: (message: string) => void;
}

function noteOn(width: number, height: number): string {
  if (Math.min(width, height) < RECOMMENDED_PX)
    return `This picture is ${width}x${height}: it may look blurred. At least ${RECOMMENDED_PX}x${RECOMMENDED_PX} looks best.`;
  return width === height ? '' : 'The picture is cropped to a square, as shown.';
}

export function AvatarField({ user, avatarUrl, error, onPick, onError }: AvatarFieldProps) {
  const id = useId();
  const [note, setNote] = useState('');

  async function pick(file: File): Promise<void> {
    try {
      const { dataUrl, width, height } = await readImageFile(file);
      setNote(noteOn(width, height));
      onPick(dataUrl);
    } catch (error) {
      setNote('');
      onError(error instanceof ImageFileError ? error.message : 'This file cannot be read. Please try another.');
    }
  }

  return (
    <fieldset className="grid content-start gap-2 md:col-start-1!">
      <legend className="sr-only">Avatar</legend>
      <div className="flex flex-wrap items-center gap-2">
        <UserAvatar user={{ ...user, avatarUrl }} size={72} className="me-2" />
        <FileInput
          accept={IMAGE_TYPES}
          aria-label="Upload Avatar"
          aria-describedby={`${id}-hint ${id}-error`}
          data-field="avatarUrl"
          onFile={(file) => void pick(file)}
          className={buttonClass('secondary', 'md', 'px-4!')}
        >
          <ImageUp aria-hidden size={18} />
          Upload
        </FileInput>
        {avatarUrl ? (
          <IconButton
            label="Remove"
            onClick={() => {
              setNote('');
              onPick(null);
            }}
          >
            <Trash2 aria-hidden size={18} />
          </IconButton>
        ) : null}
      </div>
      <p id={`${id}-hint`} className="text-sm text-faint">
        {note || `Square image, minimum ${RECOMMENDED_PX}x${RECOMMENDED_PX} recommended`}
      </p>
      <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-text empty:hidden">
        {error}
      </p>
    </fieldset>
  );
}
