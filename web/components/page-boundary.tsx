import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

/** Keeps a crash inside its page: the header stays, and the person can try again. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Something went wrong') };
  }

  override componentDidCatch(error: unknown): void {
    console.error('A page crashed', error);
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <div role="alert" className="page grid justify-items-center gap-4 py-20 text-center">
        <p className="display text-2xl">This page could not be shown</p>
        {/* A reload, because after an update of the server the page's chunks have other names. */}
        <Button variant="secondary" onClick={() => location.reload()}>
          Try again
        </Button>
      </div>
    );
  }
}
