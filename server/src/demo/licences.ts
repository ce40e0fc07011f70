import type { LicenceHolder, LicenceKind } from '@aisle/contract/merchant/licence'
import { sql } from 'kysely'
import type { Tx } from '../kernel/context'
import { DAY_MS } from './calendar'
import { issuers, prefixes, remaining, revoked } from './data/licences'
import { type MerchantSeed, merchants } from './data/merchants'
import type { DemoMachine } from './network/network'
import { idOf, type Ids } from './people/people'
import { randomFrom, seedOf } from './random'

type LicenceSeed = {
  merchant: string
  holderKind: LicenceHolder
  kind: LicenceKind
  holder: string
  machine?: string | undefined
  account?: string | undefined
}

type Ids3 = { merchants: Ids; users: Ids; machines: Ids }

export async function seedLicences(tx: Tx, machines: readonly DemoMachine[], ids: Ids3, now: Date): Promise<void> {
  const all = [...merchants.flatMap(ofMerchant), ...ofSites(machines), ...practitioners]
  const planned = all.map(({ merchant, machine, account, ...licence }) => ({
    ...licence,
    ...termOf({ merchant, machine, ...licence }, now),
    merchantId: idOf(ids.merchants, merchant),
    machineId: machine === undefined ? null : idOf(ids.machines, machine),
    userId: account === undefined ? null : idOf(ids.users, account),
    revokedAt: revoked[keyOf(merchant, licence.kind)] === undefined ? null : new Date(now.getTime() - 40 * DAY_MS),
    revokeReason: revoked[keyOf(merchant, licence.kind)] ?? null,
    createdAt: new Date(now.getTime() - 200 * DAY_MS),
  }))
  await tx.insertInto('licence').values(planned).execute()
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

const keyOf = (merchant: string, kind: LicenceKind) => `${merchant}/${kind}`

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

function termOf({ kind, merchant, holder, machine = '' }: LicenceSeed, now: Date) {
  const random = randomFrom(seedOf(`${merchant}/${holder}/${machine}/${kind}/licence`))
  const day = (offset: number) => new Date(now.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
  const left =
    remaining[keyOf(merchant, kind)] ?? (machine && random.chance(0.08) ? random.between(-20, 50) : undefined)
  const daysLeft = left ?? random.between(120, 1400)
  const isLongTerm = kind === 'business' || kind === 'doctor_practice'
  return {
    number: `${prefixes[kind]}${random.between(1_000_000, 9_999_999)}${random.between(1000, 9999)}`,
    issuedBy: `${kind === 'medicine_trade' || kind === 'gsp' ? '省' : '市'}${issuers[kind]}`,
    validFrom: day(isLongTerm ? -1500 : daysLeft - 1826),
    validTo: isLongTerm ? null : day(daysLeft),
  }
}
