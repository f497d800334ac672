import { ADMIN_PASSWORD_MIN } from '#shared/roles.ts';
import { countChars } from '#shared/text.ts';
import { Field, Input } from '../../../ui/field.tsx';

export interface NewPassword {
  chosen: string;
  repeated: string;
}

export const NO_PASSWORD: NewPassword = { chosen: '', repeated: '' };

export interface NewPasswordErrors {
  chosen?: string;
  repeated?: string;
}

/** The problem of a new password; the server decides. Pure. */
export function validateNewPassword({ chosen, repeated }: NewPassword, present: string): NewPasswordErrors {
  if (countChars(chosen) < ADMIN_PASSWORD_MIN)
    return { chosen: `Choose a password of at least ${ADMIN_PASSWORD_MIN} characters` };
  if (chosen === present) return { chosen: 'Choose a password other than the current one' };
  return chosen === repeated ? {} : { repeated: 'The two passwords differ' };
}

interface NewPasswordFieldsProps {
  value: NewPassword;
  errors: NewPasswordErrors;
  onChange: (value: NewPassword) => void;
}

export function NewPasswordFields({ value, errors, onChange }: NewPasswordFieldsProps) {
  return (
    <>
      <Field
        label="New password"
        hint={`At least ${ADMIN_PASSWORD_MIN} characters; only you know it.`}
        error={errors.chosen ?? null}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            value={value.chosen}
            onChange={(event) => onChange({ ...value, chosen: event.target.value })}
          />
        )}
      </Field>
      <Field label="Repeat the new password" error={errors.repeated ?? null}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            value={value.repeated}
            onChange={(event) => onChange({ ...value, repeated: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
