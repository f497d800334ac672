import { QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { queryClient } from './queries.ts';

/** The component with the app's one query client around it. */
export function withQueries(Inner: ComponentType): ComponentType {
  return function WithQueries() {
    return (
      <QueryClientProvider client={queryClient}>
        <Inner />
      </QueryClientProvider>
    );
  };
}
