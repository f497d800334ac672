import { TermsLine } from '../components/values/terms-line.tsx';

/** At each step that pays (R80). */
export function TermsNote({ className }: { className?: string }) {
  return (
    <p className={className}>
      <TermsLine doing="paying" /> Results are public and stay, good or bad.
    </p>
  );
}
