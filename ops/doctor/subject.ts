import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type { Db } from '#db/client.ts';
import type { Config } from '#server/kit/config.ts';
import type { Door } from './request.ts';

export interface Subject {
  config: Config;
  db: Db;
  sui: SuiGrpcClient;
  root: string;
  settingsFile: string;
  door: Door;
  outside: string[] | undefined;
}
