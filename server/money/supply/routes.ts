import { supply } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { currentSupply } from './actions.ts';
import { currentReserves } from './reserves.ts';

export const supplyRoutes = [
  route(supply.getSupply, { cost: 'list' }, async ({ services }) => {
    const [supply, reserves] = await Promise.all([currentSupply(services.replica), currentReserves(services)]);
    return { ...supply, reserves };
  }),
];
