import { Link as LinkIcon, Share2 } from 'lucide-react';
import { copyText } from '../../lib/copy-text.ts';
import { external } from '../../lib/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { XLogo } from '../project/x-logo.tsx';

/** Over the system's own sheet where there is one; the user closing it is no failure. */
function shareBySystem(title: string, url: string): void {
  navigator.share({ title, url }).catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) void copyText(url);
  });
}

interface ShareButtonsProps {
  /** Stands before the link. */
  text: string;
  url: string;
  onShare?: () => void;
}

/** Ways to pass a link on: the clipboard, X, and the system's own sheet where there is one. */
export function ShareButtons({ text, url, onShare }: ShareButtonsProps) {
  const post = `https://x.com/intent/post?${new URLSearchParams({ text, url })}`;
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="secondary"
        onClick={() => {
          onShare?.();
          void copyText(url);
        }}
      >
        <LinkIcon aria-hidden size={18} />
        Copy link
      </Button>
      <a href={post} {...external} onClick={onShare} className={buttonClass('secondary')}>
        <XLogo size={16} />
        Post on X<span className="sr-only">(opens in a new tab)</span>
      </a>
      {'share' in navigator ? (
        <Button
          variant="secondary"
          onClick={() => {
            onShare?.();
            shareBySystem(text, url);
          }}
        >
          <Share2 aria-hidden size={18} />
          Share…
        </Button>
      ) : null}
    </div>
  );
}
