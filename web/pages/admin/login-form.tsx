import { KeyRound, LogIn } from 'lucide-react';
import { useRef, useState } from 'react';
import { ADMIN_LOCKOUT_MINUTES, ADMIN_PASSWORD_ATTEMPTS } from '#shared/constants.ts';
import { shortenAddress } from '#shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { logIn } from './admin-session.ts';
import { Gate } from './gate.tsx';

const WRONG_PASSWORD = `Wrong password. After ${ADMIN_PASSWORD_ATTEMPTS} in a row the login is locked for ${ADMIN_LOCKOUT_MINUTES} minutes.`;

/** Password of the admin, on top of the wallet (S2.40, S5.7). */
export function LoginForm({ walletAddress }: { walletAddress: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    if (password === '') {
      setError('Enter the password');
      input.current?.focus();
      return;
    }
    setBusy(true);
    const failure = await logIn(walletAddress, password);
    if (failure === null) return;
    setBusy(false);
    if (failure.isWrongPassword) setPassword('');
    setError(failure.isWrongPassword ? WRONG_PASSWORD : failure.message);
    input.current?.focus();
  }

  return (
    <Gate>
      <form
        noValidate
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header className="grid gap-2">
          <span aria-hidden className="grid size-12 place-items-center rounded-md bg-accent-soft text-link">
            <KeyRound size={24} />
          </span>
          <h1 className="text-3xl">Admin Login</h1>
          <p className="text-muted">
            Signed in as <code className="font-mono text-text">{shortenAddress(walletAddress)}</code>
          </p>
        </header>
        {/* For password managers, which want to know whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={walletAddress} readOnly />
        <Field label="Password" error={error}>
          {(control) => (
            <Input
              {...control}
              ref={input}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => {
                setPassword(event.target.value);
                setError(null);
              }}
            />
          )}
        </Field>
        <Button type="submit" size="lg" busy={isBusy ? 'Logging in...' : false}>
          <LogIn aria-hidden size={20} />
          Login
        </Button>
      </form>
    </Gate>
  );
}
