// @vitest-environment happy-dom
/** The place of a project's picture: what is taken, what it says meanwhile, and what nobody may change. */
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { pictureOf, useTestPage } from '../../testing/screen.tsx';
import { ProjectImageField } from './project-image-field.tsx';

useTestPage();
const change = vi.fn<(dataUrl: string) => void>();
const failed = vi.fn<(message: string) => void>();
beforeEach(() => [change, failed].forEach((mock) => mock.mockReset()));

const field = (props: Partial<Parameters<typeof ProjectImageField>[0]> = {}) => (
  <ProjectImageField label="Picture" value="" onChange={change} onError={failed} {...props} />
);
const input = () => screen.getByLabelText<HTMLInputElement>('Picture');
const place = () => input().parentElement as HTMLElement;
const drop = (files: File[]) => act(async () => void fireEvent.drop(place(), { dataTransfer: { files } }));
const isOver = () => place().classList.contains('bg-accent-soft');

test('an empty place asks for a picture and says which; a filled one shows it and offers another', () => {
  const { rerender } = render(field());
  expect(screen.getByText('Drop an image here')).toBeVisible();
  expect(input()).toHaveAccessibleDescription(/^3:4, at least 500x500/);
  expect(input()).toHaveAttribute('accept', expect.stringContaining('image/webp'));
  expect(place()).toHaveClass('border-dashed');
  rerender(field({ value: '/images/a.webp' }));
  expect(screen.getByAltText('Preview of the project')).toHaveAttribute('src', '/images/a.webp');
  expect(screen.getByText('Change image')).toBeVisible();
  expect(screen.queryByText('Drop an image here')).toBeNull();
  expect(place()).not.toHaveClass('border-dashed');
});

test('an error is tied to the field, and its place is red', () => {
  render(field({ error: 'Please upload a project image' }));
  expect(input()).toHaveAttribute('aria-invalid', 'true');
  expect(input()).toHaveAccessibleDescription(/AVIF\. Please upload a project image$/);
  expect(screen.getByRole('alert')).toHaveTextContent('Please upload a project image');
  expect(place()).toHaveClass('border-bear');
});

test('a file that is held over the place makes it light up until it leaves or is dropped', async () => {
  render(field());
  expect(isOver()).toBe(false);
  // Else the browser would open the file.
  expect(fireEvent.dragOver(place())).toBe(false);
  expect(isOver()).toBe(true);
  fireEvent.dragLeave(place());
  expect(isOver()).toBe(false);
  fireEvent.dragOver(place());
  await drop([pictureOf(600, 800)]);
  expect(isOver()).toBe(false);
  await vi.waitFor(() => expect(change).toHaveBeenCalledExactlyOnceWith(`data:image/png;base64,${btoa('picture')}`));
  expect(failed).not.toHaveBeenCalled();
});

test('while the order is under way nothing is taken; a drop without a file changes nothing', async () => {
  const { rerender } = render(field());
  await drop([]);
  rerender(field({ disabled: true }));
  expect(input()).toBeDisabled();
  fireEvent.dragOver(place());
  expect(isOver()).toBe(false);
  await drop([pictureOf(600, 800)]);
  rerender(field());
  // Read later than the one before would be.
  await drop([pictureOf(600, 800)]);
  await vi.waitFor(() => expect(change).toHaveBeenCalled());
  expect(change).toHaveBeenCalledTimes(1);
  expect(failed).not.toHaveBeenCalled();
});

test('why a file is no picture is said; the same file can be picked again', async () => {
  render(field());
  const emptied = vi.spyOn(input(), 'value', 'set');
  Object.defineProperty(input(), 'files', { value: [pictureOf(600, 800, 'text/plain')] });
  await act(async () => void fireEvent.change(input()));
  expect(failed).toHaveBeenCalledExactlyOnceWith('Please use a PNG, JPEG, WebP, GIF or AVIF image');
  expect(emptied).toHaveBeenCalledWith('');
  const broken = pictureOf(600, 800);
  vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(() => {
    throw new Error('gone');
  });
  await drop([broken]);
  await vi.waitFor(() => expect(failed).toHaveBeenCalledTimes(2));
  expect(failed).toHaveBeenLastCalledWith(expect.stringMatching(/Please try another/));
  expect(change).not.toHaveBeenCalled();
});
