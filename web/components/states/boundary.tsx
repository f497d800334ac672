import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  children: ReactNode;
  renderFailure: (retry: () => void, error: unknown) => ReactNode;
  onRetry?: () => void;
  occasion?: unknown;
}

export class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('Something went wrong') };
  }

  override componentDidCatch(error: unknown): void {
    console.error('A part of the page crashed', error);
  }

  override componentDidUpdate({ occasion }: BoundaryProps): void {
    if (this.state.error !== null && occasion !== this.props.occasion) this.retry();
  }

  retry = (): void => {
    this.props.onRetry?.();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    return error === null ? this.props.children : this.props.renderFailure(this.retry, error);
  }
}
