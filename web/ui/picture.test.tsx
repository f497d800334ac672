// @vitest-environment happy-dom
/** Pictures: what stands for one that is missing, and when a project's is fetched. */
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProjectImage } from '../components/project/project-image.tsx';
import { useTestPage } from '../testing/screen.tsx';

useTestPage();

const projectImage = (changes: Partial<Parameters<typeof ProjectImage>[0]> = {}) => (
  <ProjectImage src="/images/reef.webp" name="reef" alt="Reef" width={72} height={96} {...changes} />
);

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
