import { useRef, type HTMLAttributes } from 'react';
import { USERNAME_MAX_CHARS, USERNAME_MIN_CHARS } from '#shared/constants.ts';
import type { User } from '#shared/contract/types.ts';
import { Button } from '../../ui/button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { AvatarField } from './avatar-field.tsx';
import { type FieldErrors, type TextField } from './profile-draft.ts';
import { useProfileForm } from './use-profile-form.ts';

interface FieldText {
  name: TextField;
  label: string;
  hint?: string;
  placeholder: string;
  inputMode: HTMLAttributes<HTMLInputElement>['inputMode'];
}

const FIELDS: FieldText[] = [
  {
    name: 'username',
    label: 'Username',
    hint: `${USERNAME_MIN_CHARS} to ${USERNAME_MAX_CHARS} letters, digits or _`,
    placeholder: 'deep_sea_diver',
    inputMode: 'text',
  },
  { name: 'twitterLink', label: 'Twitter/X link', placeholder: 'https://x.com/yourname', inputMode: 'url' },
  { name: 'telegramLink', label: 'Telegram link', placeholder: 'https://t.me/yourname', inputMode: 'url' },
];

export function ProfileForm({ user }: { user: User }) {
  const section = useRef<HTMLElement>(null);
  function focusFirstError(errors: FieldErrors): void {
    const first = Array.from(section.current?.querySelectorAll<HTMLElement>('[data-field]') ?? []).find(
      (element) => (element.dataset.field ?? '') in errors,
    );
    first?.focus();
  }
  const { draft, errors, isSaving, change, rejectImage, save } = useProfileForm(user, focusFirstError);
  return (
    <Card ref={section} aria-labelledby="edit-profile" className="grid gap-y-2 md:grid-rows-[auto_1fr]">
      <CardTitle id="edit-profile">Edit Profile</CardTitle>
      <AvatarField
        user={user}
        avatarUrl={draft.avatarUrl}
        error={errors.avatarUrl}
        onPick={(avatarUrl) => change({ avatarUrl })}
        onError={rejectImage}
      />
      <form
        noValidate
        className="grid gap-5 max-md:mt-4 md:row-span-2 md:row-start-1"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {FIELDS.map(({ name, label, hint, ...rest }) => (
          <Field key={name} label={label} hint={hint} error={errors[name] ?? null}>
            {(control) => (
              <Input
                {...control}
                {...rest}
                name={name}
                data-field={name}
                autoComplete={name === 'username' ? 'nickname' : 'url'}
                autoCapitalize="none"
                spellCheck={false}
                value={draft[name]}
                onChange={(event) => change({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" size="lg" busy={isSaving ? 'Saving...' : false} className="sm:justify-self-start">
          Save Profile
        </Button>
      </form>
    </Card>
  );
}
