// @vitest-environment happy-dom
/** The controls that everything is made of: what they are called, when they can be pressed, and where the focus goes. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { CountedTextarea } from '../components/project/counted-textarea.tsx';
import { useTestPage } from '../testing/screen.tsx';
import { Button, ButtonLink, IconButton } from './button.tsx';
import { Card, CardTitle } from './card.tsx';
import { Field, Input, Select, Textarea } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from './menu.tsx';
import { Segmented } from './segmented.tsx';
import { Tabs } from './tabs.tsx';

useTestPage();

describe('a button', () => {
  test('sends no form unless it says so, and can be pressed unless it is off or busy', () => {
    const press = vi.fn<() => void>();
    const { rerender } = render(<Button onClick={press}>Save</Button>);
    const button = screen.getByRole('button', { name: 'Save' });
    expect(button).toHaveAttribute('type', 'button');
    expect(button).not.toHaveAttribute('aria-busy');
    fireEvent.click(button);
    expect(press).toHaveBeenCalledTimes(1);
    rerender(
      <Button disabled busy={null}>
        Save
      </Button>,
    );
    expect(button).toBeDisabled();
    expect(button).toHaveTextContent(/^Save$/);
    for (const idle of [undefined, null, false]) {
      rerender(<Button busy={idle}>Save</Button>);
      expect(button).toBeEnabled();
    }
    rerender(
      <Button type="submit" busy="Saving...">
        Save
      </Button>,
    );
    expect(button).toHaveTextContent(/^Saving\.\.\.$/);
    expect(button).toBeDisabled();
    expect(button).toHaveAttribute('aria-busy', 'true');
    expect(button).toHaveAttribute('type', 'submit');
  });

  test.each([
    ['bull', 'bg-bull'],
    ['bear', 'bg-bear'],
    ['primary', 'bg-accent'],
    ['secondary', 'bg-raised'],
    ['ghost', 'text-muted'],
  ] as const)('that is %s has its color, at the size that was asked for', (variant, color) => {
    const { rerender } = render(
      <Button variant={variant} className="own">
        A
      </Button>,
    );
    const button = screen.getByRole('button');
    expect(button).toHaveClass(color, 'button-base', 'min-h-11', 'own');
    rerender(
      <Button variant={variant} size="lg">
        A
      </Button>,
    );
    expect(button).toHaveClass(color, 'min-h-13');
  });

  test('of one icon has a name; a link that looks like a button is a link', () => {
    const press = vi.fn<() => void>();
    render(
      <>
        <IconButton label="Close" className="own" onClick={press}>
          x
        </IconButton>
        <ButtonLink href="/trust" variant="secondary" size="lg" className="own">
          Trust
        </ButtonLink>
      </>,
    );
    const button = screen.getByRole('button', { name: 'Close' });
    expect(button).toHaveAttribute('title', 'Close');
    expect(button).toHaveAttribute('type', 'button');
    expect(button).toHaveClass('own', 'size-11');
    fireEvent.click(button);
    expect(press).toHaveBeenCalledTimes(1);
    const link = screen.getByRole('link', { name: 'Trust' });
    expect(link).toHaveAttribute('href', '/trust');
    expect(link).toHaveClass('bg-raised', 'min-h-13', 'own');
  });
});

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
    expect(screen.getByRole('alert')).toHaveClass('text-bear');
    rerender(field({ hint: 'As others see it', error: 'Too short', aside: <i>3/20</i>, className: 'own' }));
    expect(described()).toEqual(['As others see it', 'Too short']);
    expect(screen.getByText('3/20')).toBeVisible();
    expect(input.parentElement).toHaveClass('own');
  });

  test('may hold a text area or a choice, each with what it is given', () => {
    render(
      <>
        <Textarea aria-label="text" className="own" />
        <Textarea aria-label="long text" rows={9} />
        <Select aria-label="choice" className="own" defaultValue="b">
          <option>a</option>
          <option>b</option>
        </Select>
        <Input aria-label="line" className="own" />
      </>,
    );
    expect(screen.getByLabelText('text')).toHaveAttribute('rows', '4');
    expect(screen.getByLabelText('long text')).toHaveAttribute('rows', '9');
    expect(screen.getByLabelText('choice')).toHaveValue('b');
    for (const name of ['text', 'choice', 'line']) expect(screen.getByLabelText(name)).toHaveClass('own', 'w-full');
  });

  test('that counts says how much is used or left, and by how much it is too much [R15]', () => {
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
    expect(screen.getByText('4/5')).toHaveClass('text-faint');
    expect(area).not.toHaveAttribute('aria-invalid', 'true');
    fireEvent.change(area, { target: { value: 'abc' } });
    expect(change).toHaveBeenCalledWith('abc');
    rerender(counted('abcd', 'left'));
    expect(screen.getByText('1 character left')).toBeVisible();
    rerender(counted('abcde', 'left'));
    expect(screen.getByText('0 characters left')).toHaveClass('text-faint');
    rerender(counted('abcdefg', 'left'));
    expect(screen.getByText('2 characters too many')).toHaveClass('text-bear');
    expect(area).toHaveAttribute('aria-invalid', 'true');
    expect(area).toHaveValue('abcdefg');
    rerender(counted('abcdefg'));
    expect(screen.getByText('7/5')).toHaveClass('text-bear');
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

  test('that is being sent cannot be left or sent again', async () => {
    reset();
    const user = userEvent.setup();
    render(dialog({ busy: 'Renaming...' }));
    expect(screen.getByRole('button', { name: 'Renaming...' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    await user.keyboard('{Escape}');
    expect(close).not.toHaveBeenCalled();
  });

  test('that is not ready cannot be sent, but left; closed, it is gone', async () => {
    reset();
    const { rerender } = render(dialog({ disabled: true }));
    expect(screen.getByRole('button', { name: 'Rename it' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled();
    rerender(dialog({ open: false }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('a menu', () => {
  const chosen = vi.fn<() => void>();
  const opened = vi.fn<(open: boolean) => void>();
  const menu = (
    <Menu className="own" onOpenChange={opened} renderTrigger={(props) => <button {...props}>Open</button>}>
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
    expect(shown).toHaveClass('own');
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
    expect(choose).toHaveClass('mine');
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

const OPTIONS = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
] as const;

test('one of a few choices is a group of radio buttons with a name, apart from other groups', async () => {
  const user = userEvent.setup();
  const changed = vi.fn<(value: 'a' | 'b') => void>();
  render(
    <>
      <Segmented label="Order" options={OPTIONS} value="b" onChange={changed} className="own" />
      <Segmented label="Range" options={OPTIONS} value="a" onChange={changed} />
    </>,
  );
  const order = screen.getByRole('group', { name: 'Order' });
  expect(order).toHaveClass('own');
  const radios = screen.getAllByRole<HTMLInputElement>('radio');
  expect(radios.map(({ checked }) => checked)).toEqual([false, true, true, false]);
  const names = radios.map(({ name }) => name);
  expect(names[0]).toBe(names[1]);
  expect(names[0]).not.toBe(names[2]);
  await user.click(screen.getAllByRole('radio', { name: 'First' })[0] as HTMLElement);
  expect(changed.mock.calls).toEqual([['a']]);
});

test('tabs are a row with a name over the panel of the chosen one; arrows move', async () => {
  const user = userEvent.setup();
  function Two() {
    const [value, setValue] = useState<'a' | 'b'>('a');
    return (
      <Tabs label="Lists" tabs={OPTIONS} value={value} onChange={setValue} className="own">
        {value === 'a' ? 'the first' : 'the second'}
      </Tabs>
    );
  }
  render(<Two />);
  expect(screen.getByRole('tablist', { name: 'Lists' }).parentElement).toHaveClass('own');
  const tab = (name: string) => screen.getByRole('tab', { name });
  expect(tab('First')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByRole('tabpanel')).toHaveTextContent('the first');
  await user.click(tab('Second'));
  expect(screen.getByRole('tabpanel', { name: 'Second' })).toHaveTextContent('the second');
  expect(tab('First')).toHaveAttribute('aria-selected', 'false');
});

test('a card is a section that its title names', () => {
  render(
    <Card aria-labelledby="title" className="own">
      <CardTitle id="title" icon={<i>icon</i>} aside={<b>5</b>}>
        Votes
      </CardTitle>
    </Card>,
  );
  const card = screen.getByRole('region', { name: 'icon Votes' });
  expect(card).toHaveClass('panel', 'own');
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent('iconVotes');
  expect(card).toHaveTextContent('iconVotes5');
});
