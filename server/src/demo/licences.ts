import type { CallOf } from '@aisle/contract/kernel/endpoint'
import { addLicence, type LicenceKind, renewLicence, revokeLicence } from '@aisle/contract/merchant/licence'
import { addDays } from '../kernel/businessDay'
import { issuers, kindsOf, prefixes, remaining, revoked } from './data/licences'
import { type MerchantSeed, merchants } from './data/merchants'
import type { Past } from './life/within'
import type { DemoMachine } from './network/network'
import { randomFrom, seedOf } from './random'

/** Five years. */
const TERM_DAYS = 1826

type Asked = CallOf<typeof addLicence>
type LicenceSeed = Pick<Asked, 'holderKind' | 'kind' | 'holder' | 'machineCode'> & { merchant: string }

/** Recorded and renewed as they would be: a trade licence that is past its first five years had an earlier term. */
export async function addLicences(past: Past, machines: readonly DemoMachine[]): Promise<void> {
  const { as, idOf } = past
  for (const { merchant, ...about } of [...merchants.flatMap(ofMerchant), ...ofSites(machines)]) {
    const { kind } = about
    const term = termOf({ merchant, ...about }, past)
    const isRenewed = ['medicine_trade', 'gsp', 'food_trade'].includes(kind) && term.validTo !== null
    const begun = addDays(term.validFrom, -TERM_DAYS)
    const former = { ...term, number: `${term.number}-1`, validFrom: begun, validTo: addDays(term.validFrom, -1) }
    const added = { ...about, ...(isRenewed ? former : term), merchantId: idOf('merchant', merchant) }
    const { id } = await as('admin', addLicence, added)
    if (isRenewed) await as('admin', renewLicence, { id, version: 1, ...term })
    const reason = revoked[keyOf(merchant, kind)]
    if (reason !== undefined) await as('admin', revokeLicence, { id, version: isRenewed ? 2 : 1, reason })
  }
}

const keyOf = (merchant: string, kind: LicenceKind) => `${merchant}/${kind}`

const ofMerchant = ({ code: merchant, name: holder, type }: MerchantSeed): LicenceSeed[] =>
  kindsOf[type].map((kind) => {
    return { merchant, holderKind: type === 'pharmaceutical' ? 'pharmacy' : 'merchant', kind, holder }
  })

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

function termOf({ kind, merchant, holder, machineCode: machine = '' }: LicenceSeed, { day }: Past) {
  const random = randomFrom(seedOf(`${merchant}/${holder}/${machine}/${kind}/licence`))
  const left =
    remaining[keyOf(merchant, kind)] ?? (machine && random.chance(0.08) ? random.between(-20, 50) : undefined)
  const daysLeft = left ?? random.between(120, 1400)
  const isLongTerm = kind === 'business' || kind === 'doctor_practice'
  return {
    number: `${prefixes[kind]}${random.between(1_000_000, 9_999_999)}${random.between(1000, 9999)}`,
    issuedBy: `${kind === 'medicine_trade' || kind === 'gsp' ? '省' : '市'}${issuers[kind]}`,
    validFrom: day(isLongTerm ? -1500 : daysLeft - TERM_DAYS),
    validTo: isLongTerm ? null : day(daysLeft),
  }
}
