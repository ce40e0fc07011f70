import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addPaymentAccount, publishPaymentAccount } from '@aisle/contract/payment/account'
import { type RawBuilder, sql } from 'kysely'
import { caseRefundNoOf } from '../../features/payment/public'
import { publicAlone } from '../../kernel/callOut'
import type { Reader, Services } from '../../kernel/context'
import { DAY_MS } from '../calendar'
import { appIds, channelAccounts, ownAccounts, stems } from '../data/channels'
import { merchants, PLATFORM } from '../data/merchants'
import type { Past } from '../life/within'
import { addProviderAccount, type KeyPairs, newKeyPairs, newProviderFile, type ProviderFile } from './providerAccount'

/** Stands where the stand-in's address comes with each start. */
const SOMEWHERE = 'http://127.0.0.1:9'

/** The stand-in's own three, and one for each account at it. */
export const channelKeyPairs = (): KeyPairs => newKeyPairs(3 + ownAccounts.length)

/**
 * Accounts at a provider that only the demo has, so that its simulated customers really scan and pay. @returns what the
 * stand-in is started with
 */
export async function seedChannels(past: Past, machine: string | undefined, pairs: KeyPairs): Promise<ProviderFile> {
  const { ids, idOf, tx, services, latestMs } = past
  const file = await newProviderFile(pairs)
  for (const [index, { owner, name, provider }] of ownAccounts.entries()) {
    const id = await addProviderAccount(
      tx,
      services.keys,
      { file, pairs },
      {
        merchantId: idOf('merchant', owner),
        provider,
        name,
        appId: appIds[provider](index),
        providerNo: `${stems[provider]}${String(index + 1).padStart(3, '0')}`,
        gateway: provider === 'alipay' ? `${SOMEWHERE}/gateway.do` : SOMEWHERE,
        at: new Date(latestMs - 400 * DAY_MS),
      },
    )
    ids.provider.set(`${owner}/${provider}`, id)
  }
  await pointAtStandIn(tx, { url: SOMEWHERE, address: SOMEWHERE })
  await openAccounts(past, machine)
  return file
}

/** One a day, in their order: the second of a merchant at a provider takes the place of its first. */
async function openAccounts({ as, at, idOf, services }: Past, machine: string | undefined): Promise<void> {
  const nowMs = services.clock.now().getTime()
  for (const [index, seed] of channelAccounts(machine).entries()) {
    const { merchant, provider, by = PLATFORM, fundsMode = 'demo', isReady = true, machine: machineCode = null } = seed
    const accountName = merchants.find(({ code }) => code === merchant)?.name ?? merchant
    at(nowMs + index * DAY_MS)
    const { id } = await as('admin', addPaymentAccount, {
      merchantId: idOf('merchant', merchant),
      providerAccountId: idOf('provider', `${by}/${provider}`),
      machineCode,
      products: ['native', 'barcode'],
      fundsMode,
      bank: '江南商业银行',
      accountName,
      paymentTitle: accountName.slice(0, 12),
      subMerchantNo: by === PLATFORM ? `${stems[provider]}${String(201 + index)}` : '',
    })
    if (isReady) await as('admin', publishPaymentAccount, { id, version: 1, publishAt: null })
  }
  at(nowMs)
}

/** So far back the stand-in knows what it was paid; bills of earlier days it has none. */
const KNOWN_DAYS = 8

/** Before the commit, as the fleet file: what the stand-in signs with, and what it has taken so far. */
export async function writeProviderFiles({ latestMs, services, tx }: Past, file: ProviderFile): Promise<void> {
  const ms = (at: RawBuilder<unknown>) => sql`floor(extract(epoch from ${at}) * 1000)`
  const refundOf = (r: string, no: RawBuilder<unknown>, askedAt: RawBuilder<unknown>) => {
    const of = (column: string) => sql.ref(`${r}.${column}`)
    return sql`jsonb_build_object('no', ${no}, 'channelNo', coalesce(${of('channel_refund_no')}, ${no}),
      'amountFen', ${of('amount_fen')}, 'state', 'refunded', 'atMs', ${ms(askedAt)}, 'notifyUrl', '')`
  }
  const found = await sql<{
    line: string
  }>`select (to_jsonb(paid) || '{"state": "paid", "notifyUrl": ""}')::text as line
    from (
      select a.method as provider, case a.method
          when 'wechat' then concat_ws('/', p.provider_no, nullif(c.sub_merchant_no, ''))
          else coalesce(nullif(c.sub_merchant_no, ''), p.provider_no) end as merchant, p.app_id as "appId",
        a.attempt_no as no, a.channel_no as "channelNo", a.amount_fen as "amountFen", a.paid_fen as "paidFen",
        ${ms(sql`a.created_at`)} as "atMs", ${ms(sql`a.expires_at`)} as "expiresMs", ${ms(sql`a.paid_at`)} as "paidMs",
        a.split_rule_id is not null as "isShared", 'seed' || a.id as token,
        coalesce((select jsonb_agg(${refundOf('r', sql`r.refund_no`, sql`r.requested_at`)}) from refund r
          where r.attempt_id = a.id and r.state = 'refunded'), '[]') as refunds
      from payment_attempt a join payment_account c on c.id = a.account_id
      join provider_account p on p.id = c.provider_account_id
      union all
      select u.provider, p.provider_no, p.app_id, u.attempt_no, u.channel_no, u.amount_fen, u.amount_fen,
        ${ms(sql`u.paid_at`)}, ${ms(sql`u.paid_at`)}, ${ms(sql`u.paid_at`)}, false, 'nobodys' || u.id,
        case when u.state = 'refunded'
          then jsonb_build_array(${refundOf('u', caseRefundNoOf('UP', sql`u.id`), sql`u.ended_at`)}) else '[]' end
      from unclaimed_payment u join provider_account p on p.id = u.provider_account_id) paid
    where "paidMs" > ${latestMs - KNOWN_DAYS * DAY_MS}::bigint order by "atMs"`.execute(tx)
  await writeWhole(services.dataDir, 'provider.jsonl', found.rows.map(({ line }) => `${line}\n`).join(''))
  await writeWhole(services.dataDir, 'provider.json', JSON.stringify(file))
}

/** For its owner alone, and whole or not at all. */
export async function writeWhole(dataDir: string, name: string, text: string): Promise<void> {
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
