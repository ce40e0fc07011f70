import type { LicenceHolder, LicenceKind } from '@aisle/contract/merchant/licence'
import { sql } from 'kysely'
import { rows } from '../db/rows'
import type { Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import { type MerchantSeed, merchants } from './data/merchants'
import type { DemoMachine } from './network/network'
import { idOf, type Ids } from './people/people'
import { randomFrom, seedOf } from './random'

type LicenceSeed = {
  merchant: string
  holderKind: LicenceHolder
  kind: LicenceKind
  holder: string
  machine?: string
  account?: string
}

const issuers: Record<LicenceKind, string> = {
  business: '市场监督管理局',
  medicine_trade: '药品监督管理局',
  gsp: '药品监督管理局',
  food_trade: '市场监督管理局',
  medical_device: '药品监督管理局',
  doctor_practice: '卫生健康委员会',
  pharmacist_practice: '药品监督管理局',
  site_filing: '市场监督管理局',
}
const prefixes: Record<LicenceKind, string> = {
  business: '91',
  medicine_trade: 'DA',
  gsp: 'GSP',
  food_trade: 'JY1',
  medical_device: 'YX',
  doctor_practice: 'YS',
  pharmacist_practice: 'ZY',
  site_filing: 'ZD',
}

/** Days left to some that tell a story; the others have months or years. */
const remaining: Record<string, number> = {
  'EAST/food_trade': -4,
  'EASTRX/gsp': 21,
  'EASTRX/medicine_trade': 420,
  'EASTSTORE/food_trade': 6,
  'SOUTHRX/medical_device': 48,
  'NORTHRX/gsp': -33,
  'WESTRX/medicine_trade': 58,
}
/** Licences that were given back. */
const revoked: Record<string, string> = { 'EASTRX/medical_device': '业务调整，已向监管部门交回备案凭证' }

type Ids3 = { merchants: Ids; users: Ids; machines: Ids }

export async function seedLicences(tx: Tx, machines: readonly DemoMachine[], ids: Ids3, now: Date): Promise<void> {
  const all = [...merchants.flatMap(ofMerchant), ...ofSites(machines), ...practitioners]
  const planned = all.map((licence) => {
    const { merchant, machine, account } = licence
    return {
      ...licence,
      ...termOf(licence, now),
      merchantId: idOf(ids.merchants, merchant),
      machineId: machine === undefined ? null : idOf(ids.machines, machine),
      userId: account === undefined ? null : idOf(ids.users, account),
      revokedAt: revoked[keyOf(licence)] === undefined ? null : new Date(now.getTime() - 40 * DAY_MS),
      revokeReason: revoked[keyOf(licence)] ?? null,
      createdAt: new Date(now.getTime() - 200 * DAY_MS),
    }
  })
  await sql`insert into licence (merchant_id, holder_kind, kind, number, holder, user_id, machine_id, issued_by,
      valid_from, valid_to, revoked_at, revoke_reason, created_at)
    select * from ${rows('l', planned, {
      merchantId: 'bigint',
      holderKind: 'text',
      kind: 'text',
      number: 'text',
      holder: 'text',
      userId: 'bigint',
      machineId: 'bigint',
      issuedBy: 'text',
      validFrom: 'date',
      validTo: 'date',
      revokedAt: 'timestamptz',
      revokeReason: 'text',
      createdAt: 'timestamptz',
    })}`.execute(tx)
  await seedTerms(tx, idOf(ids.users, 'admin'), now)
}

/** Trade licences last five years; those that are past their first have one earlier term. */
async function seedTerms(tx: Tx, userId: number, now: Date): Promise<void> {
  await sql`insert into licence_term
      (licence_id, number, issued_by, valid_from, valid_to, pictures, replaced_at, replaced_by)
    select id, number || '-1', issued_by, valid_from - 1826, valid_from - 1, '{}',
      least(valid_from::timestamptz, ${now}), ${userId}
    from licence where kind in ('medicine_trade', 'gsp', 'food_trade') and valid_from < ${now}::date`.execute(tx)
}

const keyOf = ({ merchant, kind }: LicenceSeed) => `${merchant}/${kind}`

function ofMerchant({ code, name, type }: MerchantSeed): LicenceSeed[] {
  const holderKind = type === 'pharmaceutical' ? 'pharmacy' : 'merchant'
  const kinds: LicenceKind[] =
    type === 'pharmaceutical'
      ? ['business', 'medicine_trade', 'gsp', 'medical_device', 'pharmacist_practice']
      : type === 'platform'
        ? ['business']
        : ['business', 'food_trade']
  return kinds.map((kind) => ({ merchant: code, holderKind, kind, holder: name }))
}

/** Every tenth machine's site has its filing; the rest stand inside their owner's premises. */
const ofSites = (machines: readonly DemoMachine[]): LicenceSeed[] =>
  machines
    .filter((_, index) => index % 10 === 3)
    .map(({ code, merchant, point }) => ({
      merchant,
      holderKind: 'site',
      kind: 'site_filing',
      holder: point.name,
      machine: code,
    }))

const practitioners: readonly LicenceSeed[] = [
  { merchant: 'EAST', holderKind: 'doctor', kind: 'doctor_practice', holder: '程亦安', account: 'doctor' },
  { merchant: 'EAST', holderKind: 'doctor', kind: 'pharmacist_practice', holder: '顾清如', account: 'pharmacist' },
]

function termOf(licence: LicenceSeed, now: Date) {
  const { kind, merchant, holder, machine = '' } = licence
  const random = randomFrom(seedOf(`${merchant}/${holder}/${machine}/${kind}/licence`))
  const day = (offset: number) => new Date(now.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
  const left = remaining[keyOf(licence)] ?? (machine && random.chance(0.08) ? random.between(-20, 50) : undefined)
  const daysLeft = left ?? random.between(120, 1400)
  const isLongTerm = kind === 'business' || kind === 'doctor_practice'
  return {
    number: `${prefixes[kind]}${random.between(1_000_000, 9_999_999)}${random.between(1000, 9999)}`,
    issuedBy: `${kind === 'medicine_trade' || kind === 'gsp' ? '省' : '市'}${issuers[kind]}`,
    validFrom: day(isLongTerm ? -1500 : daysLeft - 1826),
    validTo: isLongTerm ? null : day(daysLeft),
  }
}
