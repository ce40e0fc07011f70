import { type AccountPlatform, linkFor } from '@aisle/contract/fleet/officialAccount'

type Followable = { name: string; link: string; platform: AccountPlatform }

/** The account of the wallet that the customer holds in their hand, else any that the machine shows. */
export function followFor(
  accounts: readonly Followable[],
  method: string,
  machineCode: string,
): { name: string; url: string } | undefined {
  const account = accounts.find(({ platform }) => platform.startsWith(`${method}_`)) ?? accounts[0]
  return account && { name: account.name, url: linkFor(account.link, machineCode) }
}
