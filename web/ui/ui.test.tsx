// @vitest-environment happy-dom
/** The controls that everything is made of: what they are called, when they can be pressed, and where the focus goes. */
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { CountedTextarea } from '../components/project/counted-textarea.tsx';
import { useTestPage } from '../testing/screen.tsx';
import { Field, Input } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from './menu.tsx';

useTestPage();

describe('a field', () => {
  const field = (props: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field label="Name" {...props}>
      {(control) => <Input {...control} />}
    </Field>
  );
  const described = () =>
    (screen.getByLabelText('Name').getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? null);

  test('is tied to its label, its hint and its error, and to nothing that is not there', () => {
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

  test('a field with a counter shows how much is used or left, and by how much it is too much [R15]', () => {
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
});

describe('a dialog with a form', () => {
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

  test('is named and described; Enter and its button submit, Cancel, Close and Escape close', async () => {
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

  test('a dialog whose form is being sent cannot be left or sent again', async () => {
    reset();
    const user = userEvent.setup();
    render(dialog({ busy: 'Renaming...' }));
    expect(screen.getByRole('button', { name: 'Renaming...' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.keyboard('{Escape}');
    expect(close).not.toHaveBeenCalled();
  });
});

describe('a menu', () => {
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

  test('says that it is one and whether it is open, tells each change once, and begins with its first item', async () => {
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
    // Another arrow on the button of an open menu changes nothing.
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

  test('closes with a choice, stays where that is wanted, and where there is nothing to choose', async () => {
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
});
