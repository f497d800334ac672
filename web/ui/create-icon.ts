/**
 * In place of lucide's own (vite.config.ts), which looks into a context and merges classes and attributes at each drawing:
 * a tenth of the landing page's start.
 */
import { createElement, type ReactElement, type SVGProps } from 'react';

interface IconData {
  node: ReadonlyArray<readonly [tag: string, attributes: Record<string, string>]>;
}

interface IconProps extends SVGProps<SVGSVGElement> {
  size?: number | string;
}

const STYLE: SVGProps<SVGSVGElement> = {
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
};

export default function createIcon({ node }: IconData): (props: IconProps) => ReactElement {
  let shapes: ReactElement[] | undefined;
  return function Icon({ size = 24, ...props }) {
    shapes ??= node.map(([tag, attributes]) => createElement(tag, attributes));
    return createElement('svg', { ...STYLE, width: size, height: size, ...props }, shapes);
  };
}
