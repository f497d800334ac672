import { SWIPE_THRESHOLD_PX } from '#shared/constants.ts';
import type { VoteType } from './deck.ts';

/** Numbers of the swipe, without a DOM. Distances in CSS px, velocities in px per ms, angles in degrees. */

export const SLOP_PX = 6;
const STAMP_FROM_PX = 24;
const DEGREES_PER_PX = 0.055;
const MAX_TILT = 16;
const RESISTANCE = 0.3;
const VELOCITY_WINDOW_MS = 80;
const SLOWEST_FLIGHT_MS = 380;
const FASTEST_FLIGHT_MS = 190;
const LEAST_SPEED = 1.4;
const THROWN_BACK_SPEED = 0.3;

export const isFarEnough = (dx: number): boolean => Math.abs(dx) > SWIPE_THRESHOLD_PX;

/** A card that is thrown back towards the middle votes nothing, wherever it is released. */
export function swipeVote(dx: number, speedX = 0): VoteType | null {
  const side = Math.sign(dx);
  if (!isFarEnough(dx) || speedX * side <= -THROWN_BACK_SPEED) return null;
  return side > 0 ? 'bullish' : 'bearish';
}

export function stampOpacity(dx: number): number {
  return Math.min(1, Math.max(0, (Math.abs(dx) - STAMP_FROM_PX) / (SWIPE_THRESHOLD_PX - STAMP_FROM_PX)));
}

export const riseOf = (dx: number): number => Math.min(1, Math.abs(dx) / SWIPE_THRESHOLD_PX);

export function tilt(dx: number, lowGrip: boolean): number {
  return Math.max(-MAX_TILT, Math.min(MAX_TILT, dx * DEGREES_PER_PX)) * (lowGrip ? -1 : 1);
}

export const follow = (distance: number, free: boolean): number => (free ? distance : distance * RESISTANCE);

const ASKEW = [0, -2, 2.4];

export function restPose(depth: number): string {
  const upper = ASKEW[Math.floor(depth)] ?? 0;
  const lower = ASKEW[Math.ceil(depth)] ?? 0;
  const degrees = upper + (lower - upper) * (depth % 1);
  // The percentage makes up for what shrinking about the centre takes away at the lower edge.
  const y = `calc(${(depth * 12).toFixed(2)}px + ${(depth * 2.5).toFixed(3)}%)`;
  return `translate3d(0, ${y}, 0) rotate(${degrees.toFixed(2)}deg) scale(${(1 - depth * 0.05).toFixed(4)})`;
}

export const dragPose = (dx: number, dy: number, degrees: number): string =>
  `translate3d(${dx.toFixed(1)}px, ${dy.toFixed(1)}px, 0) rotate(${degrees.toFixed(2)}deg)`;

export interface Sample {
  x: number;
  y: number;
  timeMs: number;
}

/** Velocity over the last 80 ms before `nowMs`; nothing when the pointer rested. */
export function velocityOf(samples: readonly Sample[], nowMs: number): { x: number; y: number } {
  const recent = samples.filter(({ timeMs }) => nowMs - timeMs <= VELOCITY_WINDOW_MS);
  const first = recent[0];
  const last = recent.at(-1);
  if (!first || !last || last.timeMs <= first.timeMs) return { x: 0, y: 0 };
  const elapsedMs = last.timeMs - first.timeMs;
  return { x: (last.x - first.x) / elapsedMs, y: (last.y - first.y) / elapsedMs };
}

export interface Launch {
  dx: number;
  dy: number;
  degrees: number;
  velocity: { x: number; y: number };
}

export interface Flight {
  pose: string;
  durationMs: number;
}

export function flightOf(vote: VoteType, launch: Launch, cardWidth: number, viewportWidth: number): Flight {
  const side = vote === 'bullish' ? 1 : -1;
  const goal = side * (viewportWidth / 2 + cardWidth * 0.8);
  const way = Math.abs(goal - launch.dx);
  const speed = Math.max(LEAST_SPEED, launch.velocity.x * side);
  const durationMs = Math.round(Math.max(FASTEST_FLIGHT_MS, Math.min(SLOWEST_FLIGHT_MS, way / speed)));
  const drift = Math.max(-240, Math.min(240, launch.velocity.y * durationMs * 0.5));
  const degrees = launch.degrees === 0 ? side * 14 : launch.degrees * 1.6;
  return { pose: dragPose(goal, launch.dy + drift, degrees), durationMs };
}
