let offsetMs = 0;
let known = false;

/** A Date header has whole seconds, so the offset is only moved when it is off by more than that. */
const TOLERANCE_MS = 1_500;

export function noteServerDate(header: string | null, startedAtMs: number, receivedAtMs: number): void {
  const dateMs = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(dateMs)) return;
  const measuredMs = dateMs + 500 - (startedAtMs + receivedAtMs) / 2;
  if (known && Math.abs(measuredMs - offsetMs) < TOLERANCE_MS) return;
  known = true;
  offsetMs = Math.abs(measuredMs) < TOLERANCE_MS ? 0 : measuredMs;
}

export function serverNow(): number {
  return Date.now() + offsetMs;
}
