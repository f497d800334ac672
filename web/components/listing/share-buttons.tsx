import { Link as LinkIcon, Share2 } from 'lucide-react';
import { copyText } from '../../lib/copy-text.ts';
import { external } from '../../lib/paths.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { XLogo } from '../project/x-logo.tsx';

/** Uses the system's share sheet, or the clipboard. Returns false when the user closes the sheet. */
async function shareBySystem(title: string, url: string): Promise<boolean> {
  try {
    await navigator.share({ title, url });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    await copyText(url);
  }
  return true;
}

interface ShareButtonsProps {
  text: string;
  url: string;
  onShare?: () => void;
}

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
          onClick={() => void shareBySystem(text, url).then((isShared) => isShared && onShare?.())}
        >
          <Share2 aria-hidden size={18} />
          Share…
        </Button>
      ) : null}
    </div>
  );
}
