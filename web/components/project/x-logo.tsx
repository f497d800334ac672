export function XLogo({ size = 15 }: { size?: number }) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" width={size} height={size} fill="currentColor" className="shrink-0">
      <path d="M3 2.5h5.4l4.5 6.3 5.4-6.3h2.4l-6.7 7.9L21.5 21.5h-5.4l-5-7-6 7H2.7l7.3-8.6zm3.3 1.8 11 15.4h1.5l-11-15.4z" />
    </svg>
  );
}
