import {
  addLicence,
  type LicenceHolder,
  type LicenceKind,
  renewLicence,
  revokeLicence,
} from '@aisle/contract/merchant/licence'
import { DAY_MS } from './calendar'
import { issuers, prefixes, remaining, revoked } from './data/licences'
import { type MerchantSeed, merchants as merchantSeeds } from './data/merchants'
import type { Past } from './life/within'
import type { DemoMachine } from './network/network'
import { idOf, type Ids } from './people/people'
import { randomFrom, seedOf } from './random'

type LicenceSeed = {
  merchant: string
  holderKind: LicenceHolder
  kind: LicenceKind
  holder: string
  machineCode?: string
}

/** Recorded and renewed as they would be: a trade licence that is past its first five years had an earlier term. */
export async function addLicences(
  { as, latestMs }: Past,
  machines: readonly DemoMachine[],
  merchants: Ids,
): Promise<void> {
  for (const seed of [...merchantSeeds.flatMap(ofMerchant), ...ofSites(machines)]) {
    const { merchant, kind } = seed
    const term = termOf(seed, latestMs)
    const isRenewed = ['medicine_trade', 'gsp', 'food_trade'].includes(kind) && term.validTo !== null
    const dayBefore = (day: string) => new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10)
    const begun = new Date(Date.parse(term.validFrom) - 1826 * DAY_MS).toISOString().slice(0, 10)
    const former = { ...term, number: `${term.number}-1`, validFrom: begun, validTo: dayBefore(term.validFrom) }
    const { merchant: _, ...about } = seed
    const added = { ...about, ...(isRenewed ? former : term), merchantId: idOf(merchants, merchant) }
    const { id } = await as('admin', addLicence, added)
    if (isRenewed) await as('admin', renewLicence, { id, version: 1, ...term })
    const reason = revoked[keyOf(merchant, kind)]
    if (reason !== undefined) await as('admin', revokeLicence, { id, version: isRenewed ? 2 : 1, reason })
  }
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
      machineCode: code,
    }))

function termOf({ kind, merchant, holder, machineCode: machine = '' }: LicenceSeed, nowMs: number) {
  const random = randomFrom(seedOf(`${merchant}/${holder}/${machine}/${kind}/licence`))
  const day = (offset: number) => new Date(nowMs + offset * DAY_MS).toISOString().slice(0, 10)
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
