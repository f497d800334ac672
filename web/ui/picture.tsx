import { type ComponentProps, type ReactNode, useCallback, useState } from 'react';

interface PictureProps extends ComponentProps<'img'> {
  src: string;
  alt: string;
  fallback: ReactNode;
}

export function Picture({ src, alt, fallback, ...rest }: PictureProps) {
  const [failed, setFailed] = useState<string>();
  const setImage = useCallback(
    (image: HTMLImageElement | null) => {
      // An image in the server's HTML may have failed before anything listened. `decode` distinguishes a broken file from an SVG
      // without a size.
      if (image?.complete && image.naturalWidth === 0) image.decode().catch(() => setFailed(src));
    },
    [src],
  );
  if (failed === src) return fallback;
  return <img ref={setImage} src={src} alt={alt} onError={() => setFailed(src)} {...rest} />;
}

interface DrawnPictureProps {
  name: string;
  alt: string;
  width: number;
  height: number;
  className?: string | undefined;
}

export function DrawnPicture({ name, alt, width, height, className }: DrawnPictureProps) {
  const [letter = ''] = name;
  const size = Math.min(width, height);
  const [x, y] = [width / 2, height / 2];
  const wave = `M${x - 2 * size} 0q${size / 4} ${size / 5} ${size / 2} 0t${size / 2} 0t${size / 2} 0t${size / 2} 0t${size / 2} 0t${size / 2} 0t${size / 2} 0t${size / 2} 0V${height}h${-4 * size}z`;
  return (
    <svg
      {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': alt })}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="xMidYMid slice"
      data-picture="missing"
      className={className}
    >
      <path fill="var(--c-accent-soft)" d={`M0 0h${width}v${height}H0z`} />
      <path fill="var(--c-line)" transform={`translate(0 ${y + size * 0.2})`} d={wave} />
      <path fill="var(--c-overlay)" transform={`translate(${size * 0.3} ${y + size * 0.32})`} d={wave} />
      <text
        x={x}
        y={y}
        textAnchor="middle"
        dominantBaseline="central"
        fill="var(--c-link)"
        className="display"
        fontSize={size * 0.5}
      >
        {letter.toUpperCase()}
      </text>
    </svg>
  );
}
