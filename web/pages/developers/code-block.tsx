import { Copy } from 'lucide-react';
import { copyText } from '../../lib/copy-text.ts';
import { Button } from '../../ui/button.tsx';

export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="grid gap-2">
      <pre className="rounded-lg border border-line bg-bg p-4 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {code}
      </pre>
      <Button variant="secondary" className="justify-self-start" onClick={() => void copyText(code)}>
        <Copy aria-hidden size={18} />
        Copy {name}
      </Button>
    </div>
  );
}
