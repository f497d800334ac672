import { Copy } from 'lucide-react';
import { createElement } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { cn } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/button.tsx';

const PRE = 'rounded-lg border border-line bg-raised p-4 font-mono text-sm whitespace-pre-wrap wrap-anywhere';

/** Where an address may break: after a slash, and before its parameters. */
const BREAKS = /(?<=[^/]\/)(?=[\w$])|(?=[?&]\w)/;
const breakable = (code: string) =>
  code.split(BREAKS).flatMap((part, at) => (at === 0 ? [part] : [createElement('wbr', { key: at }), part]));

interface CodeBlockProps {
  code: string;
  label: string;
  /** What comes back, for readers. */
  response?: string | undefined;
}

export function CodeBlock({ code, label, response }: CodeBlockProps) {
  return (
    <div dir="ltr" className="relative">
      <pre className={cn(PRE, 'pe-14', response && 'rounded-b-none')}>{breakable(code)}</pre>
      <IconButton label={`Copy ${label}`} className="absolute end-1 top-1" onClick={() => void copyText(code)}>
        <Copy aria-hidden size={18} />
      </IconButton>
      {response ? (
        <pre className={cn(PRE, 'rounded-t-none border-t-0 bg-transparent text-muted')}>{response}</pre>
      ) : null}
    </div>
  );
}
