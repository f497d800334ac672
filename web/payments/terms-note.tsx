/** At each step that pays (R80). */
export function TermsNote({ className }: { className?: string }) {
  return (
    <p className={className}>
      By paying you agree to the{' '}
      <a href="/terms" target="_blank" className="text-link underline underline-offset-4">
        terms<span className="sr-only"> (opens in a new tab)</span>
      </a>
      . Results are public and stay, good or bad.
    </p>
  );
}
