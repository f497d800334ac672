import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type { Db } from '#db/client.ts';
import type { Config } from '#server/kit/config.ts';
import type { Door } from './request.ts';

/** What the doctor examines. */
export interface Subject {
  config: Config;
  /** Connects when a question needs it. */
  db: Db;
  sui: SuiGrpcClient;
  root: string;
  settingsFile: string;
  door: Door;
  outside: string[] | undefined;
}
