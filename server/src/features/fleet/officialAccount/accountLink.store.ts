import type { AccountPlatform, AccountTemplate } from '@aisle/contract/fleet/officialAccount'
import { sql } from 'kysely'
import type { AuthKeys, Reader, Tx } from '../../../kernel/context'
import { seal, unseal } from '../../../kernel/seal'

/** What opens the calls of a platform for a while. */
export type Access = { token: string; until: Date }

/** An official account through which customers are told. */
export type SendingAccount = {
  id: number
  address: string
  appId: string
  secret: string
  access: Access | null
}

type Sealed = { address: string; appId: string; secret: Buffer; access: Buffer | null; until: Date | null }

/** @returns null for an account that tells nobody (`whySilent`) */
export async function findSendingAccount(db: Reader, keys: AuthKeys, id: number): Promise<SendingAccount | null> {
  const found = await sql<Sealed>`select o.address, o.app_id as "appId", o.sealed_secret as secret,
      o.sealed_access as access, o.access_until as until
    from official_account o where o.id = ${id} and ${isSendingAccount}`.execute(db)
  const [row] = found.rows
  if (!row) return null
  const { address, appId, access, until } = row
  const open = (about: string, sealed: Buffer) => unseal(keys, `${about}:${id}`, sealed)
  return {
    id,
    address,
    appId,
    secret: open('officialAccount', row.secret),
    access: access && until ? { token: open(ACCESS, access), until } : null,
  }
}

/** `whySilent` for many accounts `o` at once. */
export const isSendingAccount = sql`o.platform = 'wechat_account' and o.state = 'active' and o.sealed_secret is not null
  and o.templates - 'pickupCode' <> '{}'`

const ACCESS = 'officialAccountAccess'

export async function keepAccess(db: Reader, keys: AuthKeys, id: number, { token, until }: Access): Promise<void> {
  const sealed = seal(keys, `${ACCESS}:${id}`, token)
  await sql`update official_account set sealed_access = ${sealed}, access_until = ${until} where id = ${id}`.execute(db)
}

export type PayerRow = {
  orderId: number
  accountId: number
  accountMerchantId: number
  openId: string
  told: AccountTemplate[]
  templates: Partial<Record<AccountTemplate, string>>
}

/** Held, so that each is told by one process. */
export async function takePayers(tx: Tx, since: Date): Promise<PayerRow[]> {
  const found = await sql<PayerRow>`select p.order_id as "orderId", p.account_id as "accountId",
      o.merchant_id as "accountMerchantId", p.open_id as "openId", p.told, o.templates
    from order_payer p join official_account o on o.id = p.account_id
    where p.kept_at > ${since} and not p.told @> array['paid', 'shipped', 'refunded'] and ${isSendingAccount}
    order by p.order_id for update of p skip locked`.execute(tx)
  return found.rows
}

export async function markTold(tx: Tx, orderId: number, told: readonly AccountTemplate[]): Promise<void> {
  await sql`update order_payer set told = told || ${[...told]}::text[] where order_id = ${orderId}`.execute(tx)
}

export async function forgetPayers(tx: Tx, before: Date): Promise<void> {
  await sql`delete from order_payer where kept_at < ${before}`.execute(tx)
}

export type FollowLink = { name: string; link: string; platform: AccountPlatform }

/** Accounts that customers of these machines are to follow before they buy. */
export async function findFollowLinks(
  db: Reader,
  machineIds: readonly number[],
): Promise<ReadonlyMap<number, readonly FollowLink[]>> {
  if (machineIds.length === 0) return new Map()
  const found = await sql<FollowLink & { machineId: number }>`
    select s.machine_id as "machineId", o.name, o.link, o.platform
    from official_account_machine s join official_account o on o.id = s.account_id
    where s.machine_id = any(${[...new Set(machineIds)]}::bigint[]) and o.must_follow and o.state = 'active'
    order by s.machine_id, o.platform desc`.execute(db)
  const links = new Map<number, FollowLink[]>()
  for (const { machineId, ...link } of found.rows) links.set(machineId, [...(links.get(machineId) ?? []), link])
  return links
}

/** Kept only where the account under whose name somebody paid is shown on the machine and tells customers anything. */
export async function keepPayer(
  tx: Tx,
  attemptId: number,
  { appId, openId }: { appId: string; openId: string },
  now: Date,
): Promise<void> {
  await sql`insert into order_payer (order_id, account_id, merchant_id, occurred_at, open_id, kept_at)
    select a.order_id, o.id, a.merchant_id, a.occurred_at, ${openId}, ${now}
    from payment_attempt a join official_account_machine m on m.machine_id = a.machine_id
    join official_account o on o.id = m.account_id and o.app_id = ${appId} and ${isSendingAccount}
    where a.id = ${attemptId}
    on conflict (order_id) do nothing`.execute(tx)
}
