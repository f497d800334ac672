import { Copy } from 'lucide-react';
import { useId } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/button.tsx';

interface CopySnippetProps {
  label: string;
  action: string;
  text: string;
}

export function CopySnippet({ label, action, text }: CopySnippetProps) {
  const id = useId();
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="text-sm font-semibold text-muted">
        {label}
      </label>
      <div className="flex min-w-0 gap-2">
        <input
          id={id}
          readOnly
          value={text}
          dir="ltr"
          onFocus={(event) => event.currentTarget.select()}
          className="min-h-11 min-w-0 flex-1 rounded-lg border border-line-strong bg-raised px-3 font-mono text-sm text-text"
        />
        <Button variant="secondary" className="shrink-0 px-4" onClick={() => void copyText(text)}>
          <Copy aria-hidden size={18} />
          {action}
        </Button>
      </div>
    </div>
  );
}
