import { RELOAD_EVENT } from './chunks.ts';

/** Keeps typed text over an automatic reload of the page (chunks.ts). Fields are found by their labels and filled as by typing. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface Draft {
  path: string;
  fields: Array<{ label: string; initial: string; value: string }>;
}

const KEY = 'snapswipe_typed';
const CONTROLS = 'input, textarea, select';
/** Secrets stay out of the storage; files and ticks cannot be typed. */
const LEFT_OUT = new Set(['password', 'hidden', 'file', 'checkbox', 'radio', 'button', 'submit', 'range']);

const started = new Map<Element, Map<Control, string>>();

const isControl = (target: EventTarget | null): target is Control =>
  target instanceof Element && target.matches(CONTROLS) && !LEFT_OUT.has((target as Control).type);

const formOf = (control: Control): Element => control.form ?? control.closest('[role="dialog"]') ?? document.body;

function controlsOf(form: Element): Control[] {
  return [...form.querySelectorAll(CONTROLS)].filter(isControl).filter((control) => formOf(control) === form);
}

const labelOf = (control: Control): string =>
  control.labels?.[0]?.textContent || control.getAttribute('aria-label') || control.name;

function noteStart({ target }: Pick<Event, 'target'>): void {
  if (!isControl(target)) return;
  const form = formOf(target);
  for (const old of started.keys()) if (!old.isConnected) started.delete(old);
  const noted = started.get(form) ?? new Map<Control, string>();
  for (const control of controlsOf(form)) if (!noted.has(control)) noted.set(control, control.value);
  started.set(form, noted);
}

function typedDrafts(): Draft[] {
  return [...started].flatMap(([form, noted]) => {
    if (!form.isConnected) return [];
    const fields = [...noted]
      .filter(([control]) => control.isConnected)
      .map(([control, initial]) => ({ label: labelOf(control), initial, value: control.value }));
    return fields.some(({ initial, value }) => value !== initial) ? [{ path: location.pathname, fields }] : [];
  });
}

function keep(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(typedDrafts()));
  } catch (error) {
    console.warn('Typed text could not be saved', error);
  }
}

function takeKept(): Draft[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Draft[];
    sessionStorage.removeItem(KEY);
    return kept.filter(({ path }) => path === location.pathname);
  } catch {
    return [];
  }
}

function type(control: Control, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as object, 'value')?.set?.call(control, value);
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}

function fill({ fields }: Draft): boolean {
  const forms = new Set([...document.querySelectorAll(CONTROLS)].filter(isControl).map(formOf));
  for (const form of forms) {
    const controls = controlsOf(form);
    const found = fields.map(({ label, initial, value }) => ({
      control: controls.find((control) => labelOf(control) === label && [initial, value].includes(control.value)),
      value,
    }));
    if (found.some(({ control }) => !control || control.disabled)) continue;
    for (const { control, value } of found) if (control && control.value !== value) type(control, value);
    return true;
  }
  return false;
}

export function startDrafts(): void {
  addEventListener('focusin', noteStart);
  noteStart({ target: document.activeElement });
  addEventListener(RELOAD_EVENT, keep);
  let waiting = takeKept();
  const tryAll = () => {
    waiting = waiting.filter((draft) => draft.path === location.pathname && !fill(draft));
    if (waiting.length === 0) observer.disconnect();
  };
  const observer = new MutationObserver(tryAll);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  tryAll();
}
