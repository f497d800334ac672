import { KeyRound, LogIn } from 'lucide-react';
import { useRef, useState } from 'react';
import { ADMIN_LOCKOUT_MINUTES, ADMIN_PASSWORD_ATTEMPTS } from '#shared/constants.ts';
import { shortenAddress } from '#shared/text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { logIn } from './admin-session.ts';
import { Gate } from './gate.tsx';
import { NewPasswordFields, type NewPasswordErrors, NO_PASSWORD, validateNewPassword } from './people/new-password.tsx';

const WRONG_PASSWORD = `Wrong password. After ${ADMIN_PASSWORD_ATTEMPTS} in a row the login is locked for ${ADMIN_LOCKOUT_MINUTES} minutes.`;

function useLogin(walletAddress: string) {
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [next, setNext] = useState<typeof NO_PASSWORD | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [nextErrors, setNextErrors] = useState<NewPasswordErrors>({});
  const [isBusy, setBusy] = useState(false);

  async function send(): Promise<void> {
    setBusy(true);
    const failure = await logIn(walletAddress, password, next?.chosen);
    if (failure === null) return;
    setBusy(false);
    if (failure.needsNewPassword) return setNext(NO_PASSWORD);
    if (failure.isWrongPassword) setPassword('');
    setError(failure.isWrongPassword ? WRONG_PASSWORD : failure.message);
    input.current?.focus();
  }

  async function submit(): Promise<void> {
    if (password === '') {
      setError('Enter the password');
      input.current?.focus();
      return;
    }
    const found = next ? validateNewPassword(next, password) : {};
    setNextErrors(found);
    if (Object.keys(found).length === 0) await send();
  }

  function type(text: string): void {
    setPassword(text);
    setError(null);
  }

  return { input, password, error, next, nextErrors, isBusy, submit, type, setNext };
}

export function LoginForm({ walletAddress }: { walletAddress: string }) {
  const { input, password, error, next, nextErrors, isBusy, submit, type, setNext } = useLogin(walletAddress);
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
          <span aria-hidden className="grid size-12 place-items-center rounded-md bg-raised text-muted">
            <KeyRound size={24} />
          </span>
          <h1 className="text-2xl">Admin Login</h1>
          <p className="text-muted">
            Signed in as <code className="font-mono text-text">{shortenAddress(walletAddress)}</code>
          </p>
        </header>
        {/* For password managers, which want to know whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={walletAddress} readOnly />
        <Field label={next ? 'One-time password' : 'Password'} error={error}>
          {(control) => (
            <Input
              {...control}
              ref={input}
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => type(event.target.value)}
            />
          )}
        </Field>
        {next ? (
          <>
            <output className="text-muted">This password works once. Choose your own to go on.</output>
            <NewPasswordFields value={next} errors={nextErrors} onChange={setNext} />
          </>
        ) : null}
        <Button type="submit" size="lg" busy={isBusy ? 'Logging in...' : false}>
          <LogIn aria-hidden size={20} />
          {next ? 'Set password and log in' : 'Login'}
        </Button>
      </form>
    </Gate>
  );
}
