import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { useSessionUser } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { logIn } from '../admin-session.ts';
import { NewPasswordFields, type NewPasswordErrors, NO_PASSWORD, validateNewPassword } from './new-password.tsx';

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const walletAddress = useSessionUser()?.walletAddress ?? '';
  const [password, setPassword] = useState('');
  const [next, setNext] = useState(NO_PASSWORD);
  const [errors, setErrors] = useState<NewPasswordErrors & { present?: string }>({});
  const [isBusy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    if (password === '') return setErrors({ present: 'Enter your current password' });
    const found = validateNewPassword(next, password);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    const failure = await logIn(walletAddress, password, next.chosen);
    setBusy(false);
    if (failure === null) {
      toast({ title: 'Password changed', description: 'Your other admin sessions have ended.', variant: 'success' });
      onClose();
    } else setErrors({ present: failure.message });
  }

  return (
    <FormDialog
      title="Change password"
      description="Your admin sessions in other browsers end."
      action="Change password"
      busy={isBusy ? 'Changing...' : false}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <Field label="Current password" error={errors.present ?? null}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <NewPasswordFields value={next} errors={errors} onChange={setNext} />
    </FormDialog>
  );
}
