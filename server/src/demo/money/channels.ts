import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addPaymentAccount, publishPaymentAccount } from '@aisle/contract/payment/account'
import { sql } from 'kysely'
import { caseRefundNoOf } from '../../features/payment/public'
import { publicAlone } from '../../kernel/callOut'
import type { Reader, Services, Tx } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { type AccountSeed, appIds, channelAccounts, channelProviders, stems } from '../data/channels'
import { merchants, PLATFORM } from '../data/merchants'
import type { Past } from '../life/within'
import { idOf, type Ids } from '../people/people'
import { addProviderAccount, newProviderFile, type ProviderFile } from './providerAccount'

/** Stands where the stand-in's address comes with each start. */
const SOMEWHERE = 'http://127.0.0.1:9'

/**
 * Accounts at a provider that only the demo has, so that its simulated customers really scan and pay. @returns what the
 * stand-in is started with
 */
export async function seedChannels(
  past: Past,
  ids: { merchants: Ids; machines: Ids },
  machine: string | undefined,
): Promise<ProviderFile> {
  const { tx, services, latestMs } = past
  const file = newProviderFile()
  const at = new Date(latestMs - 400 * DAY_MS)
  const accounts = new Map<string, number>()
  const owners = [PLATFORM, 'SOUTHSTORE'].flatMap((owner) => channelProviders.map((provider) => ({ owner, provider })))
  for (const [index, { owner, provider }] of owners.entries()) {
    if (owner !== PLATFORM && provider === 'unionpay') continue
    const id = await addProviderAccount(tx, services.keys, file, {
      merchantId: idOf(ids.merchants, owner),
      provider,
      name: owner === PLATFORM ? '平台服务商' : '骑楼里自有签约',
      appId: appIds[provider](index),
      providerNo: `${stems[provider]}${String(index + 1).padStart(3, '0')}`,
      gateway: provider === 'alipay' ? `${SOMEWHERE}/gateway.do` : SOMEWHERE,
      at,
    })
    accounts.set(`${owner}/${provider}`, id)
  }
  await pointAtStandIn(tx, { url: SOMEWHERE, address: SOMEWHERE })
  await openAccounts(past, channelAccounts(machine), { ...ids, accounts })
  return file
}

/** One a day, in their order: the second of a merchant at a provider takes the place of its first. */
async function openAccounts(
  { as, at, services }: Past,
  seeds: readonly AccountSeed[],
  ids: { merchants: Ids; accounts: ReadonlyMap<string, number> },
): Promise<void> {
  const nowMs = services.clock.now().getTime()
  for (const [index, seed] of seeds.entries()) {
    const { merchant, provider, by = PLATFORM, fundsMode = 'demo', isReady = true, machine = null } = seed
    const name = merchants.find(({ code }) => code === merchant)?.name ?? merchant
    at(nowMs + index * DAY_MS)
    const { id } = await as('admin', addPaymentAccount, {
      merchantId: idOf(ids.merchants, merchant),
      providerAccountId: idOf(ids.accounts, `${by}/${provider}`),
      machineCode: machine,
      products: ['native', 'barcode'],
      fundsMode,
      bank: '江南商业银行',
      accountName: name,
      paymentTitle: name.slice(0, 12),
      subMerchantNo: by === PLATFORM ? `${stems[provider]}${String(201 + index)}` : '',
    })
    if (isReady) await as('admin', publishPaymentAccount, { id, version: 1, publishAt: null })
  }
  at(nowMs)
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
      'isShared', a.split_rule_id is not null, 'notifyUrl', '', 'token', 'seed' || a.id,
      'refunds', coalesce((select jsonb_agg(jsonb_build_object(
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

/** Where the stand-in listens now, and leave to call it: addresses of one's own machine are no public ones. */
export async function standInAt({ db }: Pick<Services, 'db'>, path: string) {
  const found = await sql<{ url: string }>`select gateway as url from provider_account
    where provider = 'wechat' and gateway ~ '^http://127\\.0\\.0\\.1:\\d+$' order by id limit 1`.execute(db)
  const near = `${found.rows[0]?.url}${path}`
  return { near, allowed: { ...publicAlone, address: (url: string) => url === near || publicAlone.address(url) } }
}
