export interface DemoAccounts {
  accounts: Array<{ address: string; secretKey: string }>;
  demoCoin: { coinType: string; decimals: number };
}

export async function fetchDemoAccounts(faucetUrl: string): Promise<DemoAccounts> {
  const response = await fetch(`${faucetUrl}/demo-accounts`);
  return (await response.json()) as DemoAccounts;
}
