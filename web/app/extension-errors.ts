/** Errors thrown by browser extensions (S8.22). Ours are still reported where an extension is further down the stack (R35). */
const EXTENSION_URL = /^(?:chrome|moz|safari|safari-web|ms-browser)-extension:\/\//i;
const FIRST_URL = /[a-z][a-z-]*:\/\/[^\s)]+/i;

function originOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const stack = (error.stack ?? '').replace(error.message, '');
  return FIRST_URL.exec(stack)?.[0] ?? null;
}

export interface ReportedError {
  filename?: string | undefined;
  error: unknown;
}

export function isExtensionError({ filename, error }: ReportedError): boolean {
  return EXTENSION_URL.test(originOf(error) ?? filename ?? '');
}

const OVERLAY_CHECK_MS = 100;

function removeOverlays(): void {
  for (const overlay of document.querySelectorAll('vite-error-overlay')) {
    const file = overlay.shadowRoot?.querySelector('.stack')?.textContent ?? '';
    if (EXTENSION_URL.test(FIRST_URL.exec(file)?.[0] ?? '')) overlay.remove();
  }
}

function suppress(event: Event & { filename?: string; error?: unknown; reason?: unknown }): void {
  if (!isExtensionError({ filename: event.filename, error: event.error ?? event.reason })) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

export function suppressExtensionErrors(): void {
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, suppress, true);
  if (import.meta.env.DEV) setInterval(removeOverlays, OVERLAY_CHECK_MS);
}
