import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FundsMode, Provider } from '@aisle/contract/payment/states'
import { sql } from 'kysely'
import { caseRefundNoOf } from '../../features/payment/public'
import type { AuthKeys, Reader, Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { merchants, PLATFORM } from '../data/merchants'
import { idOf, type Ids } from '../people/people'
import { addProviderAccount, newProviderFile, type ProviderFile } from './providerAccount'

type AccountSeed = {
  merchant: string
  provider: Provider
  /** Whose numbers and keys it collects with. */
  by?: string
  fundsMode?: FundsMode
  state?: 'preparing' | 'activated' | 'stopped'
  machine?: string
}

const providers: readonly Provider[] = ['wechat', 'alipay', 'unionpay']
const operators = ['EAST', 'SOUTH', 'NORTH', 'WEST']

/** Operators collect for all below them; a pharmacy has numbers of its own, and one chain its own contracts. */
const planned = (machine: string | undefined): AccountSeed[] => [
  ...operators.flatMap((merchant) => providers.map((provider) => ({ merchant, provider }))),
  { merchant: 'EASTRX', provider: 'wechat' },
  { merchant: 'EASTRX', provider: 'alipay' },
  { merchant: 'SOUTHSTORE', provider: 'wechat', by: 'SOUTHSTORE', fundsMode: 'direct' },
  { merchant: 'SOUTHSTORE', provider: 'alipay', by: 'SOUTHSTORE', fundsMode: 'direct' },
  { merchant: 'EAST', provider: 'alipay', state: 'stopped' },
  { merchant: 'NORTHRX', provider: 'wechat', state: 'preparing' },
  { merchant: 'WESTSTORE', provider: 'alipay', state: 'preparing' },
  ...(machine === undefined ? [] : [{ merchant: 'EAST', provider: 'wechat' as const, machine }]),
]

/** Stands where the stand-in's address comes with each start. */
const SOMEWHERE = 'http://127.0.0.1:9'

/**
 * Accounts at a provider that only the demo has, so that its simulated customers really scan and pay. @returns what the
 * stand-in is started with
 */
export async function seedChannels(
  tx: Tx,
  keys: AuthKeys,
  ids: { merchants: Ids; machines: Ids },
  { machine, now }: { machine: string | undefined; now: Date },
): Promise<ProviderFile> {
  const file = newProviderFile()
  const at = new Date(now.getTime() - 400 * DAY_MS)
  const accounts = new Map<string, number>()
  const owners = [PLATFORM, 'SOUTHSTORE'].flatMap((owner) => providers.map((provider) => ({ owner, provider })))
  for (const [index, { owner, provider }] of owners.entries()) {
    if (owner !== PLATFORM && provider === 'unionpay') continue
    const id = await addProviderAccount(tx, keys, file, {
      merchantId: idOf(ids.merchants, owner),
      provider,
      name: owner === PLATFORM ? '平台服务商' : '骑楼里自有签约',
      appId: appIds[provider](index),
      providerNo: `${stems[provider]}${String(index + 1).padStart(3, '0')}`,
      gateway: gatewayOf(provider, SOMEWHERE),
      at,
    })
    accounts.set(`${owner}/${provider}`, id)
  }
  await insertAccounts(tx, planned(machine), { ...ids, accounts, now })
  return file
}

const appIds: Record<Provider, (index: number) => string> = {
  wechat: (index) => `wxde30000000000${100 + index}`,
  alipay: (index) => `2021000000000${100 + index}`,
  unionpay: () => '',
}
const stems = { wechat: '1900000', alipay: '2088000000000', unionpay: '777290058110' } as const

const gatewayOf = (provider: Provider, url: string): string => (provider === 'alipay' ? `${url}/gateway.do` : url)

async function insertAccounts(
  tx: Tx,
  seeds: readonly AccountSeed[],
  ids: { merchants: Ids; machines: Ids; accounts: ReadonlyMap<string, number>; now: Date },
): Promise<void> {
  const written = seeds.map(
    ({ merchant, provider, by = PLATFORM, fundsMode = 'demo', state = 'activated', machine }, index) => {
      const name = merchants.find(({ code }) => code === merchant)?.name ?? merchant
      const activatedAt = new Date(ids.now.getTime() - (390 - index) * DAY_MS)
      const isOver = state === 'stopped'
      return {
        provider,
        fundsMode,
        state,
        bank: '江南商业银行',
        accountName: name,
        paymentTitle: name.slice(0, 12),
        merchantId: idOf(ids.merchants, merchant),
        providerAccountId: idOf(ids.accounts, `${by}/${provider}`),
        machineId: machine === undefined ? null : idOf(ids.machines, machine),
        subMerchantNo: by === PLATFORM ? `${stems[provider]}${String(201 + index)}` : '',
        activatedAt: state === 'preparing' ? null : activatedAt,
        stoppedAt: isOver ? new Date(activatedAt.getTime() + 30 * DAY_MS) : null,
        stopReason: isOver ? '换成新的商户号' : '',
        createdAt: new Date(activatedAt.getTime() - DAY_MS),
      }
    },
  )
  await tx.insertInto('paymentAccount').values(written).execute()
}

/** So far back the stand-in knows what it was paid; bills of earlier days it has none. */
const KNOWN_DAYS = 8

/** Before the commit, as the fleet file: what the stand-in signs with, and what it has taken so far. */
export async function writeProviderFiles(tx: Tx, dataDir: string, file: ProviderFile, now: Date): Promise<void> {
  const since = new Date(now.getTime() - KNOWN_DAYS * DAY_MS)
  const found = await sql<{ line: string }>`select jsonb_build_object('provider', a.method,
      'merchant', case a.method when 'wechat' then concat_ws('/', p.provider_no, nullif(c.sub_merchant_no, ''))
        else coalesce(nullif(c.sub_merchant_no, ''), p.provider_no) end,
      'appId', p.app_id, 'no', a.attempt_no, 'channelNo', a.channel_no, 'amountFen', a.amount_fen,
      'paidFen', a.paid_fen, 'state', 'paid', 'atMs', floor(extract(epoch from a.created_at) * 1000),
      'expiresMs', floor(extract(epoch from a.expires_at) * 1000),
      'paidMs', floor(extract(epoch from a.paid_at) * 1000),
      'notifyUrl', '', 'token', 'seed' || a.id, 'refunds', coalesce((select jsonb_agg(jsonb_build_object(
          'no', r.refund_no, 'channelNo', coalesce(r.channel_refund_no, r.refund_no), 'amountFen', r.amount_fen,
          'state', 'refunded', 'atMs', floor(extract(epoch from r.requested_at) * 1000), 'notifyUrl', ''))
        from refund r where r.attempt_id = a.id and r.state = 'refunded'), '[]'::jsonb))::text as line
    from payment_attempt a join payment_account c on c.id = a.account_id
    join provider_account p on p.id = c.provider_account_id
    where a.paid_at > ${since} order by a.id`.execute(tx)
  const nobodys = await sql<{ line: string }>`select jsonb_build_object('provider', u.provider,
      'merchant', p.provider_no, 'appId', p.app_id, 'no', u.attempt_no, 'channelNo', u.channel_no,
      'amountFen', u.amount_fen, 'paidFen', u.amount_fen, 'state', 'paid',
      'atMs', floor(extract(epoch from u.paid_at) * 1000), 'expiresMs', floor(extract(epoch from u.paid_at) * 1000),
      'paidMs', floor(extract(epoch from u.paid_at) * 1000), 'notifyUrl', '', 'token', 'nobodys' || u.id,
      'refunds', case when u.state = 'refunded' then jsonb_build_array(jsonb_build_object(
          'no', ${caseRefundNoOf('UP', sql`u.id`)}, 'channelNo', u.channel_refund_no, 'amountFen', u.amount_fen,
          'state', 'refunded', 'atMs', floor(extract(epoch from u.ended_at) * 1000), 'notifyUrl', ''))
        else '[]'::jsonb end)::text as line
    from unclaimed_payment u join provider_account p on p.id = u.provider_account_id
    where u.paid_at > ${since} order by u.id`.execute(tx)
  await writeWhole(dataDir, 'provider.jsonl', [...found.rows, ...nobodys.rows].map(({ line }) => `${line}\n`).join(''))
  await writeWhole(dataDir, 'provider.json', JSON.stringify(file))
}

async function writeWhole(dataDir: string, name: string, text: string): Promise<void> {
  const folder = join(dataDir, 'demo')
  await mkdir(folder, { recursive: true })
  const fresh = join(folder, `${name}.${process.pid}`)
  await writeFile(fresh, text, { mode: 0o600 })
  await rename(fresh, join(folder, name))
}

/**
 * Ports change from start to start: accounts at the stand-in follow it, and so does the address that it tells payments
 * to, unless somebody has set one of their own.
 */
export async function pointAtStandIn(db: Reader, { url, address }: { url: string; address: string }): Promise<void> {
  await sql`update provider_account
    set gateway = ${url} || case when provider = 'alipay' then '/gateway.do' else '' end
    where gateway ~ '^http://127\\.0\\.0\\.1:\\d+'`.execute(db)
  await sql`insert into setting (key, value) values ('site.address', to_jsonb(${address}::text))
    on conflict (key, merchant_id) do update set value = excluded.value
    where setting.value #>> '{}' ~ '^http://(127\\.0\\.0\\.1|localhost):'`.execute(db)
}
