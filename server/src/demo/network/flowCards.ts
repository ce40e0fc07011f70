import { flowCardColumns, importFlowCards, isIccid } from '@aisle/contract/fleet/flowCard'
import { takeFlow } from '../../features/fleet/public'
import { DAY_MS } from '../calendar'
import type { Past } from '../life/within'
import type { DemoMachine } from './network'
import { randomFrom, seedOf, withCheckDigit } from '../random'

const HISTORY_DAYS = 31
const SPARES = 6
const carriers = ['cmcc', 'cmcc', 'cucc', 'ctcc'] as const
const issuers = { cmcc: '898600', cucc: '898601', ctcc: '898603' } as const

/** A card in each machine with a month of use, and a few spare ones a region: some expiring, some over. */
export async function addFlowCards(past: Past, machines: readonly DemoMachine[]): Promise<void> {
  const { as, idOf, latestMs, tx } = past
  for (const owner of new Set(machines.flatMap(({ merchant, point }) => [merchant, point.merchant]))) {
    const own = machines.filter(({ merchant }) => merchant === owner)
    const isRegional = machines.some(({ point }) => point.merchant === owner)
    // The drawer of each holds one that nobody threw away.
    const spares = Array.from({ length: isRegional ? SPARES : 0 }, (_, at) => {
      const card = cardOf(past, `${owner}/${at}`, null)
      return at === 0 ? { ...card, expiresOn: past.day(-20) } : card
    })
    const cards = [...own.map(({ code }) => cardOf(past, code, code)), ...spares]
    const lines = [flowCardColumns, ...cards.map((card) => flowCardColumns.map((column) => String(card[column])))]
    const file = Buffer.from(lines.map((line) => line.join(',')).join('\n')).toString('base64')
    await as('admin', importFlowCards, { merchantId: idOf('merchant', owner), file })
  }
  // As much as a screen with small films takes, a little more on some machines; today has only begun.
  const counters = machines.map(({ code }) => ({ machineId: idOf('machine', code), code, usedMb: 0 }))
  for (let daysAgo = HISTORY_DAYS; daysAgo >= 0; daysAgo -= 1) {
    const at = new Date(latestMs - daysAgo * DAY_MS)
    for (const each of counters) {
      const dayMb = 12 + (seedOf(each.code) % 30) + (seedOf(`${each.code}/${daysAgo}`) % 22)
      each.usedMb += daysAgo === 0 ? dayMb / 3 : dayMb
    }
    await takeFlow(
      tx,
      counters.map(({ machineId, usedMb }) => ({ machineId, at, usedMb })),
    )
  }
}

function cardOf({ day }: Past, name: string, machineCode: string | null) {
  const random = randomFrom(seedOf(`${name}/card`))
  const carrier = random.pick(carriers)
  const digits = (count: number) => Array.from({ length: count }, () => String(random.between(0, 9))).join('')
  // Two or three in a hundred need somebody.
  const isEnding = random.chance(0.03)
  const isOver = machineCode !== null && random.chance(0.02)
  return {
    carrier,
    machineCode: machineCode ?? '',
    iccid: withCheckDigit(issuers[carrier] + digits(13), isIccid),
    imei: machineCode === null ? '' : `86${digits(13)}`,
    imsi: `460${digits(12)}`,
    phone: `14${random.between(4, 9)}${digits(10)}`,
    cardType: random.pick(['nano', 'nano', 'micro', 'industrial']),
    planMb: random.pick([1024, 2048, 3072]),
    alarmMb: isOver ? 200 : random.pick([1800, 2500, 0]),
    openedOn: day(-random.between(100, 700)),
    expiresOn: day(isEnding ? random.between(-3, 26) : random.between(60, 900)),
    remark: '',
  }
}
