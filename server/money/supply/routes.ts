import { supply } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { currentSupply } from './actions.ts';

export const supplyRoutes = [
  route(supply.getSupply, { cost: 'list' }, ({ services }) => currentSupply(services.replica)),
];
