import { useMutation } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { cleanLine } from '#shared/text/clean-text.ts';
import type { OneTimePassword } from '#shared/contract/people.ts';
import { GRANTED_ROLES, type GrantedRole } from '#shared/people/roles.ts';
import { validateReason } from '#shared/rules.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { api } from '../../../lib/api.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { adminRequest } from '../admin-session.ts';
import { ROLE_HINTS, ROLE_LABELS } from './role-words.ts';
import { toastError } from '../../../lib/toast-error.ts';

const EMPTY = { wallet: '', reason: '' };
const OPTIONS = GRANTED_ROLES.map((value) => ({ value, label: ROLE_LABELS[value] }));

function useGrant(onGranted: (password: OneTimePassword) => void) {
  const [form, setForm] = useState(EMPTY);
  const [role, setRole] = useState<GrantedRole>('moderator');
  const [errors, setErrors] = useState<Partial<typeof EMPTY>>({});
  const { mutate, isPending } = useMutation({
    mutationFn: (body: { wallet: string; role: GrantedRole; reason: string }) =>
      adminRequest((headers) => api.grantRole({ body, headers })),
    onSuccess: (password) => {
      setForm(EMPTY);
      onGranted(password);
    },
    onError: (error) => {
      const field = error instanceof ApiError ? error.field : null;
      if (error instanceof ApiError && (field === 'wallet' || field === 'reason'))
        setErrors({ [field]: error.serverMessage });
      else toastError('Error', error, 'Failed to give the role');
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  function submit(): void {
    const reason = cleanLine(form.reason);
    const wrong = validateReason(reason);
    const found = {
      ...(form.wallet.trim() === '' ? { wallet: 'Enter the address of a Sui wallet' } : {}),
      ...(wrong === null ? {} : { reason: wrong }),
    };
    setErrors(found);
    if (Object.keys(found).length === 0) mutate({ wallet: form.wallet.trim(), role, reason });
  }
  return { form, setForm, role, setRole, errors, isPending, submit };
}

export function GrantForm({ onGranted }: { onGranted: (password: OneTimePassword) => void }) {
  const { form, setForm, role, setRole, errors, isPending, submit } = useGrant(onGranted);
  return (
    <Card aria-labelledby="grant">
      <CardTitle id="grant">Give a role</CardTitle>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Wallet" error={errors.wallet ?? null}>
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              placeholder="0x…"
              autoComplete="off"
              spellCheck={false}
              value={form.wallet}
              onChange={(event) => setForm({ ...form, wallet: event.target.value })}
            />
          )}
        </Field>
        <div className="grid justify-items-start gap-2">
          <Segmented label="Role" options={OPTIONS} value={role} onChange={setRole} />
          <p className="text-sm text-muted">{ROLE_HINTS[role]}</p>
        </div>
        <Field label="Reason" hint="For the audit log." error={errors.reason ?? null}>
          {(control) => (
            <Input
              {...control}
              value={form.reason}
              onChange={(event) => setForm({ ...form, reason: event.target.value })}
            />
          )}
        </Field>
        <Button type="submit" className="justify-self-start" busy={isPending ? 'Giving the role...' : false}>
          <UserPlus aria-hidden size={18} />
          Give role
        </Button>
      </form>
    </Card>
  );
}
