// @vitest-environment happy-dom
/** Pictures: what stands for one that is missing, and when a project's is fetched. */
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProjectImage } from '../components/project/project-image.tsx';
import { useTestPage } from '../testing/screen.tsx';
import { DrawnPicture } from './picture.tsx';

useTestPage();

const projectImage = (changes: Partial<Parameters<typeof ProjectImage>[0]> = {}) => (
  <ProjectImage src="/images/reef.webp" name="reef" alt="Reef" width={72} height={96} {...changes} />
);

test('a picture of a project is fetched when it comes into view, and cannot be dragged off the page', () => {
  render(projectImage());
  const image = screen.getByRole('img', { name: 'Reef' });
  expect(image).toHaveAttribute('loading', 'lazy');
  expect(image).toHaveAttribute('fetchpriority', 'auto');
  expect(image).toHaveAttribute('draggable', 'false');
  expect(image).toHaveAttribute('sizes', '72px');
});

test('the first picture that a visitor sees is fetched at once, unless something is more urgent', () => {
  const { rerender } = render(projectImage({ eager: true }));
  const image = screen.getByRole('img', { name: 'Reef' });
  expect(image).toHaveAttribute('loading', 'eager');
  expect(image).toHaveAttribute('fetchpriority', 'high');
  rerender(projectImage({ eager: true, priority: 'low', sizes: '50vw' }));
  expect(screen.getByRole('img', { name: 'Reef' })).toHaveAttribute('fetchpriority', 'low');
  expect(screen.getByRole('img', { name: 'Reef' })).toHaveAttribute('sizes', '50vw');
});

test('one that cannot be loaded gives way to the first letter, with the same name for screen readers', () => {
  const { container, rerender } = render(projectImage());
  fireEvent.error(screen.getByRole('img', { name: 'Reef' }));
  const drawn = screen.getByRole('img', { name: 'Reef' });
  expect(drawn).toHaveAttribute('data-picture', 'missing');
  expect(drawn).toHaveTextContent('R');
  expect(drawn).not.toHaveAttribute('aria-hidden');
  // Another file has its own chance.
  rerender(projectImage({ src: '/images/other.webp' }));
  expect(container.querySelector('img')).toHaveAttribute('src', '/images/other.webp');
});

test('the letter stands in the middle; beside the name it is hidden from screen readers', () => {
  const { container } = render(<DrawnPicture name="kelp" alt="" width={60} height={80} />);
  const drawn = container.querySelector('svg');
  expect(drawn).toHaveAttribute('aria-hidden', 'true');
  expect(drawn).not.toHaveAttribute('role');
  const letter = container.querySelector('text');
  expect([letter?.getAttribute('x'), letter?.getAttribute('y')]).toEqual(['30', '40']);
  expect(letter).toHaveTextContent('K');
});
