import { TermsLine } from '../components/values/terms-line.tsx';

export function TermsNote({ className }: { className?: string }) {
  return (
    <p className={className}>
      <TermsLine doing="paying" /> Results are public and permanent, good or bad.
    </p>
  );
}
