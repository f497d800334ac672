import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { holdBackExtensionErrors } from './extension-errors.ts';
import { preloadAccountMenu } from './components/wallet-control.tsx';
import { landing, screenOf } from './routes.tsx';
import { session, startSession } from './session.ts';
import './styles/app.css';
import { startTheme } from './theme.ts';

holdBackExtensionErrors();
startTheme();
startSession();

// The first page's chunk is on its way before React starts.
const first = location.pathname === '/' && session.get().user === null ? landing : screenOf(location.pathname);
// A failed load shows in the page's error boundary.
first.load().catch(() => undefined);
preloadAccountMenu();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
