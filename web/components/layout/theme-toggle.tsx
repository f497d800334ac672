import { Moon, Sun } from 'lucide-react';
import { toggleTheme, useTheme } from '../../lib/theme.ts';
import { IconButton } from '../../ui/button.tsx';

export function ThemeToggle({ className }: { className: string | undefined }) {
  const dark = useTheme() === 'dark';
  return (
    <IconButton
      className={className}
      label={dark ? 'Switch to light theme' : 'Switch to dark theme'}
      onClick={toggleTheme}
    >
      {dark ? <Sun aria-hidden size={21} /> : <Moon aria-hidden size={21} />}
    </IconButton>
  );
}
