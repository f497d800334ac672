import { withdrawals } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { findTerms } from './terms.ts';

export const payoutRuleRoutes = [
  route(withdrawals.getWithdrawalTerms, { cost: 'list' }, ({ services, session }) =>
    findTerms(services, session.userId),
  ),
];
