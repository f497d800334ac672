// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RELOAD_EVENT } from './chunks.ts';

const KEY = 'snapswipe_typed';
const FORM = `<form><label>Name <input value="Coral"></label><label>Text <textarea></textarea></label>
  <label>Kind <select><option>a</option><option>b</option></select></label>
  <label>Secret <input type="password"></label><label><input type="checkbox">Tick</label></form>`;

const control = (label: string) => {
  const found = [...document.querySelectorAll('label')].find(({ textContent }) =>
    textContent?.trim().startsWith(label),
  );
  return found?.querySelector('input, textarea, select') as HTMLInputElement;
};
function type(label: string, value: string): void {
  control(label).dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
  control(label).value = value;
}
const kept = () =>
  JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Array<{ path: string; fields: object[] }> | null;
const reload = () => dispatchEvent(new Event(RELOAD_EVENT));

/** The page after a load: fresh code, and this in its body. */
async function load(html: string, path = '/submit-project'): Promise<void> {
  history.replaceState(null, '', path);
  document.body.innerHTML = html;
  vi.resetModules();
  (await import('./drafts.ts')).startDrafts();
}

const listeners: Array<[string, EventListenerOrEventListenerObject]> = [];
const observers: MutationObserver[] = [];
beforeEach(() => {
  sessionStorage.clear();
  const observe = MutationObserver.prototype.observe;
  vi.spyOn(MutationObserver.prototype, 'observe').mockImplementation(function watch(
    this: MutationObserver,
    ...args: Parameters<MutationObserver['observe']>
  ) {
    observers.push(this);
    observe.apply(this, args);
  });
  const add = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation(
    (name: string, listener: EventListenerOrEventListenerObject, options?: AddEventListenerOptions | boolean) => {
      listeners.push([name, listener]);
      add(name, listener, options);
    },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  // Each load adds listeners; a draft without its form would be filled into the forms of the next test.
  for (const [name, listener] of listeners.splice(0)) removeEventListener(name, listener);
  for (const observer of observers.splice(0)) observer.disconnect();
});

test('a reload stores the fields of a form with its address, without secrets and checkboxes', async () => {
  await load(FORM);
  type('Text', 'Typed');
  type('Secret', 'hidden');
  reload();
  expect(kept()).toEqual([
    {
      path: '/submit-project',
      fields: [
        { label: 'Name ', initial: 'Coral', value: 'Coral' },
        { label: 'Text ', initial: '', value: 'Typed' },
        { label: expect.stringMatching(/^Kind/), initial: 'a', value: 'a' },
      ],
    },
  ]);
});

test('a reload stores no form that was not typed into', async () => {
  await load(FORM);
  type('Text', '');
  reload();
  expect(kept()).toEqual([]);
});

test('typed text returns once after a reload, with the events that React needs', async () => {
  await load(FORM);
  type('Text', 'Typed');
  type('Kind', 'b');
  reload();
  const heard = vi.fn<(type: string) => void>();
  for (const name of ['input', 'change']) document.addEventListener(name, ({ type: kind }) => heard(kind));
  await load(FORM);
  expect([control('Name').value, control('Text').value, control('Kind').value]).toEqual(['Coral', 'Typed', 'b']);
  expect(heard.mock.calls.flat()).toEqual(['input', 'change']);
  expect(sessionStorage.getItem(KEY)).toBeNull();
  await load(FORM);
  expect(control('Text').value).toBe('');
});

test('typed text returns neither on another page nor in a changed form', async () => {
  await load(FORM);
  type('Text', 'Typed');
  reload();
  const draft = sessionStorage.getItem(KEY) ?? '';
  await load(FORM, '/profile');
  expect(control('Text').value).toBe('');
  sessionStorage.setItem(KEY, draft);
  await load(FORM.replace('Coral', 'Reef'));
  expect(control('Text').value).toBe('');
});
