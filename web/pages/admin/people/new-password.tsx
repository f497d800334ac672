import { ADMIN_PASSWORD_MIN } from '#shared/people/roles.ts';
import { countChars } from '#shared/text/text.ts';
import { Field, Input } from '../../../ui/field.tsx';

export interface NewPassword {
  chosen: string;
  repeated: string;
}

export const NO_PASSWORD: NewPassword = { chosen: '', repeated: '' };

export type NewPasswordErrors = Partial<NewPassword>;

export function validateNewPassword({ chosen, repeated }: NewPassword, present: string): NewPasswordErrors {
  if (countChars(chosen) < ADMIN_PASSWORD_MIN)
    return { chosen: `Choose a password of at least ${ADMIN_PASSWORD_MIN} characters` };
  if (chosen === present) return { chosen: 'Choose a password other than the current one' };
  return chosen === repeated ? {} : { repeated: 'The two passwords differ' };
}

const FIELDS = [
  { field: 'chosen', label: 'New password', hint: `At least ${ADMIN_PASSWORD_MIN} characters; only you know it.` },
  { field: 'repeated', label: 'Repeat the new password', hint: undefined },
] as const;

interface NewPasswordFieldsProps {
  value: NewPassword;
  errors: NewPasswordErrors;
  onChange: (value: NewPassword) => void;
}

export function NewPasswordFields({ value, errors, onChange }: NewPasswordFieldsProps) {
  return FIELDS.map(({ field, label, hint }) => (
    <Field key={field} label={label} hint={hint} error={errors[field] ?? null}>
      {(control) => (
        <Input
          {...control}
          type="password"
          autoComplete="new-password"
          value={value[field]}
          onChange={(event) => onChange({ ...value, [field]: event.target.value })}
        />
      )}
    </Field>
  ));
}
