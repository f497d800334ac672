import { accountRoutes } from './people/accounts/routes.ts';
import { adminRoutes } from './panel/admin/routes.ts';
import { authRoutes } from './people/auth/routes.ts';
import { consoleRoutes } from './panel/console/routes.ts';
import { followRoutes } from './people/follows/routes.ts';
import { insightRoutes } from './figures/insights/routes.ts';
import { dailyDeckRoutes } from './voting/daily-deck/routes.ts';
import { leaderboardRoutes } from './voting/leaderboard/routes.ts';
import { lookupRoutes } from './open/lookup/routes.ts';
import { openRoutes } from './open/api/routes.ts';
import { moderationRoutes } from './panel/moderation/routes.ts';
import { noticeRoutes } from './people/notices/routes.ts';
import { catalogueRoutes } from './listings/catalogue/routes.ts';
import { orderRoutes } from './money/orders/routes.ts';
import { ownershipRoutes } from './listings/ownership/routes.ts';
import { overviewRoutes } from './panel/overview/routes.ts';
import { paymentRoutes } from './money/payments/routes.ts';
import { payoutRoutes } from './money/payouts/routes.ts';
import { projectRoutes } from './listings/projects/routes.ts';
import { pushRoutes } from './people/push/routes.ts';
import { recordRoutes } from './record/routes.ts';
import { reportRoutes } from './panel/reports/routes.ts';
import { reviewRoutes } from './people/reviews/routes.ts';
import type { Route } from './kit/http/declare.ts';
import { searchRoutes } from './listings/search/routes.ts';
import { siteRoutes } from './site/routes.ts';
import { standingRoutes } from './figures/standing/routes.ts';
import { supplyRoutes } from './money/supply/routes.ts';
import { trendRoutes } from './figures/trends/routes.ts';
import { userRoutes } from './people/users/routes.ts';
import { versionRoutes } from './listings/versions/routes.ts';
import { voteRoutes } from './voting/votes/routes.ts';
import { payoutRuleRoutes } from './money/rule/routes.ts';
import { withdrawalRoutes } from './money/withdrawals/routes.ts';

const ownRoutes: Route[] = [
  ...authRoutes,
  ...voteRoutes,
  ...projectRoutes,
  ...orderRoutes,
  ...paymentRoutes,
  ...reviewRoutes,
  ...reportRoutes,
  ...noticeRoutes,
  ...pushRoutes,
  ...followRoutes,
  ...userRoutes,
  ...accountRoutes,
  ...dailyDeckRoutes,
  ...leaderboardRoutes,
  ...insightRoutes,
  ...siteRoutes,
  ...trendRoutes,
  ...versionRoutes,
  ...catalogueRoutes,
  ...ownershipRoutes,
  ...lookupRoutes,
  ...searchRoutes,
  ...withdrawalRoutes,
  ...payoutRuleRoutes,
  ...standingRoutes,
  ...supplyRoutes,
  ...recordRoutes,
  ...adminRoutes,
  ...payoutRoutes,
  ...moderationRoutes,
  ...consoleRoutes,
  ...overviewRoutes,
];

export const allRoutes: Route[] = [...ownRoutes, ...openRoutes(ownRoutes)];
