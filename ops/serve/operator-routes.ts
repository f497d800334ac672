import { mountProbe } from '#ops/doctor/probe.ts';
import { mountMetrics } from '#ops/metrics/routes.ts';
import type { MountRoutes } from '#server/app.ts';

/** Routes for operators alone: `npm run doctor` and Prometheus. */
export const OPERATOR_ROUTES: readonly MountRoutes[] = [mountProbe, mountMetrics];
