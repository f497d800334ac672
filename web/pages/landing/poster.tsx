import type { ReactNode } from 'react';

export type Scene = 'tide' | 'moon' | 'kelp';

/** Pictures of the example cards: flat shapes in three inks each, the same in both themes. */
const SCENES: Record<Scene, ReactNode> = {
  tide: (
    <>
      <path fill="#ffcf8a" d="M0 0h300v400H0z" />
      <circle cx="206" cy="118" r="62" fill="#ff7d5c" />
      <path fill="#1aa3b8" d="M0 168c50-34 100-34 150 0s100 34 150 0v232H0z" />
      <path fill="#0f7a99" d="M0 206c50-34 100-34 150 0s100 34 150 0v194H0z" />
      <path fill="#0a5378" d="M0 250c50-34 100-34 150 0s100 34 150 0v150H0z" />
      <path fill="none" stroke="#ffe9c9" strokeWidth="5" strokeLinecap="round" d="M156 190h96m-76 20h52m-30 20h20" />
    </>
  ),
  moon: (
    <>
      <path fill="#241a52" d="M0 0h300v400H0z" />
      <circle cx="150" cy="150" r="104" fill="#f4e6c3" />
      <path fill="#e2cd9a" d="M104 92a22 22 0 1 0 .1 0m92 76a30 30 0 1 0 .1 0m-80 24a12 12 0 1 0 .1 0" />
      <path fill="#ff6f91" d="M62 168c40-58 120-58 158-10l46-34c-8 30-8 52 0 82l-46-34c-38 50-118 52-158-4z" />
      <circle cx="102" cy="156" r="8" fill="#241a52" />
      <path
        fill="none"
        stroke="#d64f78"
        strokeWidth="5"
        strokeLinecap="round"
        d="M136 140c10 16 10 34 0 50m26-54c10 18 10 42 0 60"
      />
      <path fill="#fff" d="m40 50 4 10 10 4-10 4-4 10-4-10-10-4 10-4zm216-14 3 7 7 3-7 3-3 7-3-7-7-3 7-3z" />
    </>
  ),
  kelp: (
    <>
      <path fill="#0d6a63" d="M0 0h300v400H0z" />
      <path fill="#128478" d="M0 0h300L210 400H90z" />
      <path fill="#2aa88e" d="M110 0h80l-20 400h-40z" opacity=".8" />
      <g fill="none" strokeLinecap="round">
        <path stroke="#c7e06a" strokeWidth="26" d="M66 400c-40-70 46-120 6-196s30-90 12-150" />
        <path stroke="#8fc74e" strokeWidth="26" d="M236 400c40-66-44-112-8-178s-34-78-16-130" />
        <path stroke="#e9b949" strokeWidth="22" d="M150 400c-34-60 32-96 0-152s20-66 4-108" />
      </g>
      <circle cx="120" cy="84" r="9" fill="#e8fff6" opacity=".8" />
      <circle cx="184" cy="56" r="6" fill="#e8fff6" opacity=".8" />
      <circle cx="196" cy="104" r="12" fill="#e8fff6" opacity=".6" />
    </>
  ),
};

export function Poster({ scene }: { scene: Scene }) {
  return (
    <svg viewBox="0 0 300 400" preserveAspectRatio="xMidYMin slice" className="absolute inset-x-0 top-0 h-4/5 w-full">
      {SCENES[scene]}
    </svg>
  );
}
