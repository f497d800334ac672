import type { Chain } from '../ledger/chain.ts';
import { executionService } from './execution-service.ts';
import { historyService } from './history-service.ts';
import { ledgerService } from './ledger-service.ts';
import type { MethodTable } from './method.ts';
import { nameService } from './name-service.ts';
import { signatureService } from './signature-service.ts';
import { stateService } from './state-service.ts';

/** Every method that the sandbox serves over gRPC; any other method is UNIMPLEMENTED. */
export function rpcMethods(chain: Chain): MethodTable {
  return {
    ...ledgerService(chain),
    ...historyService(chain),
    ...stateService(chain),
    ...executionService(chain),
    ...nameService(chain),
    ...signatureService,
  };
}
