// @vitest-environment happy-dom
import userEvent from '@testing-library/user-event';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { CountedTextarea } from '../components/project/counted-textarea.tsx';
import { useTestPage } from '../testing/screen.tsx';
import { Field, Input } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from './menu.tsx';
import { ProjectImage } from '../components/project/project-image.tsx';

useTestPage();

const field = (props: Partial<Parameters<typeof Field>[0]> = {}) => (
  <Field label="Name" {...props}>
    {(control) => <Input {...control} />}
  </Field>
);
const described = () =>
  (screen.getByLabelText('Name').getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? null);

test('a field is connected to its label, hint and error', () => {
  const { rerender } = render(field());
  const input = screen.getByLabelText('Name');
  expect(input).not.toHaveAttribute('aria-describedby');
  expect(input).toBeValid();
  expect(screen.queryByRole('alert')).toBeNull();
  rerender(field({ hint: 'As others see it' }));
  expect(described()).toEqual(['As others see it']);
  rerender(field({ error: 'Too short' }));
  expect(described()).toEqual(['Too short']);
  expect(input).toHaveAttribute('aria-invalid', 'true');
  expect(screen.getByRole('alert')).toHaveTextContent('Too short');
  rerender(field({ hint: 'As others see it', error: 'Too short', aside: <i>3/20</i>, className: 'own' }));
  expect(described()).toEqual(['As others see it', 'Too short']);
  expect(screen.getByText('3/20')).toBeVisible();
});

test('a field with a counter shows its length, and an error above the limit [R15]', () => {
  const change = vi.fn<(value: string) => void>();
  const counted = (value: string, counter?: 'used' | 'left', error?: string) => (
    <CountedTextarea
      label="Text"
      value={value}
      onChange={change}
      maxChars={5}
      {...(counter ? { counter } : {})}
      {...(error ? { error } : {})}
    />
  );
  const { rerender } = render(counted('abcd '));
  const area = screen.getByLabelText('Text');
  expect(area).not.toHaveAttribute('aria-invalid', 'true');
  fireEvent.change(area, { target: { value: 'abc' } });
  expect(change).toHaveBeenCalledWith('abc');
  rerender(counted('abcd', 'left'));
  expect(screen.getByText('1 character left')).toBeVisible();
  rerender(counted('abcde', 'left'));
  rerender(counted('abcdefg', 'left'));
  expect(area).toHaveAttribute('aria-invalid', 'true');
  expect(area).toHaveValue('abcdefg');
  rerender(counted('abcdefg'));
  rerender(counted('a', 'used', 'Not this'));
  expect(area).toHaveAttribute('aria-invalid', 'true');
  expect(area).toHaveAccessibleDescription('Not this');
});

const submit = vi.fn<() => void>();
const close = vi.fn<() => void>();
const dialog = (props: Partial<Parameters<typeof FormDialog>[0]> = {}) => (
  <FormDialog
    title="Rename"
    description="Why"
    action="Rename it"
    busy={null}
    onSubmit={submit}
    onClose={close}
    {...props}
  >
    <input aria-label="name" />
  </FormDialog>
);
const reset = () => [submit, close].forEach((mock) => mock.mockReset());

test('a form dialog is named and described, submits by Enter and button, and closes by Cancel, Close and Escape', async () => {
  reset();
  const user = userEvent.setup();
  render(dialog());
  const shown = screen.getByRole('dialog', { name: 'Rename' });
  expect(shown).toHaveAccessibleDescription('Why');
  await user.type(screen.getByLabelText('name'), 'x{Enter}');
  expect(submit).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole('button', { name: 'Rename it' }));
  expect(submit).toHaveBeenCalledTimes(2);
  expect(close).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.keyboard('{Escape}');
  expect(close).toHaveBeenCalledTimes(3);
  expect(submit).toHaveBeenCalledTimes(2);
});

test('a form dialog that is being sent can be neither closed nor sent again', async () => {
  reset();
  const user = userEvent.setup();
  render(dialog({ busy: 'Renaming...' }));
  expect(screen.getByRole('button', { name: 'Renaming...' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.keyboard('{Escape}');
  expect(close).not.toHaveBeenCalled();
});

const chosen = vi.fn<() => void>();
const opened = vi.fn<(open: boolean) => void>();
const menu = (
  <Menu onOpenChange={opened} renderTrigger={(props) => <button {...props}>Open</button>}>
    <MenuItem>Only to read</MenuItem>
    <MenuItem onSelect={chosen} icon={<i>icon</i>} className="mine">
      Choose
    </MenuItem>
    <MenuItem onSelect={chosen} stays>
      Choose more
    </MenuItem>
    <MenuSeparator />
    <MenuLink href="/trust">Go</MenuLink>
  </Menu>
);

test('a menu reports whether it is open, and focuses its first item', async () => {
  opened.mockReset();
  const user = userEvent.setup();
  render(menu);
  const button = screen.getByRole('button', { name: 'Open' });
  expect(button).not.toHaveAttribute('aria-controls');
  await user.click(button);
  const shown = screen.getByRole('menu', { name: 'Open' });
  expect(button).toHaveAttribute('aria-controls', shown.id);
  expect(screen.getByRole('menuitem', { name: 'Only to read' })).toHaveFocus();
  expect(screen.getByRole('separator')).toBeVisible();
  fireEvent.keyDown(button, { key: 'ArrowDown' });
  expect(opened.mock.calls).toEqual([[true]]);
  const first = screen.getByRole('menuitem', { name: 'Only to read' });
  // A key that the menu does not know is left to the browser.
  expect(fireEvent.keyDown(first, { key: 'x' })).toBe(true);
  expect(fireEvent.keyDown(first, { key: 'Home' })).toBe(false);
  expect(first).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(opened.mock.calls).toEqual([[true], [false]]);
  expect(button).toHaveFocus();
  fireEvent.keyDown(button, { key: 'Enter' });
  expect(screen.queryByRole('menu')).toBeNull();
  expect(fireEvent.keyDown(button, { key: 'ArrowDown' })).toBe(false);
  expect(screen.getByRole('menu')).toBeVisible();
});

test('a menu closes with a choice, unless the item keeps it open', async () => {
  chosen.mockReset();
  const user = userEvent.setup();
  render(menu);
  const button = screen.getByRole('button', { name: 'Open' });
  await user.click(button);
  const [only, choose, more, go] = screen.getAllByRole('menuitem') as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  expect(only).toHaveAttribute('aria-disabled', 'true');
  expect(choose).not.toHaveAttribute('aria-disabled');
  expect(choose).toHaveTextContent('iconChoose');
  for (const item of [only, choose, more, go]) expect(item).toHaveAttribute('tabindex', '-1');
  await user.click(only);
  expect(screen.getByRole('menu')).toBeVisible();
  await user.click(more);
  expect(chosen).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('menu')).toBeVisible();
  await user.click(choose);
  expect(chosen).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(button).toHaveFocus();
  await user.click(button);
  await user.click(screen.getByRole('menuitem', { name: 'Go' }));
  expect(location.pathname).toBe('/trust');
  expect(screen.queryByRole('menu')).toBeNull();
});

const projectImage = (changes: Partial<Parameters<typeof ProjectImage>[0]> = {}) => (
  <ProjectImage src="/images/reef.webp" name="reef" alt="Reef" width={72} height={96} {...changes} />
);

test('a picture that cannot be loaded is replaced by the first letter of its name', () => {
  const { container, rerender } = render(projectImage());
  fireEvent.error(screen.getByRole('img', { name: 'Reef' }));
  const drawn = screen.getByRole('img', { name: 'Reef' });
  expect(drawn).toHaveAttribute('data-picture', 'missing');
  expect(drawn).toHaveTextContent('R');
  expect(drawn).not.toHaveAttribute('aria-hidden');
  rerender(projectImage({ src: '/images/other.webp' }));
  expect(container.querySelector('img')).toHaveAttribute('src', '/images/other.webp');
});
