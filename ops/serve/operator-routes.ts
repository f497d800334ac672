import { mountProbe } from '#ops/doctor/probe.ts';
import { mountMetrics } from '#ops/metrics/routes.ts';
import type { MountRoutes } from '#server/app.ts';

export const OPERATOR_ROUTES: readonly MountRoutes[] = [mountProbe, mountMetrics];
