import { isOutOfStock } from '@aisle/contract/alarm/stockRule'
import type { Services } from '../../kernel/context'
import { businessTime, PLATFORM_TIME_ZONE } from '../../kernel/businessDay'
import type { Job } from '../../kernel/jobs'
import { type Cleared, clearAlarms, type Raised, raiseAlarms } from './alarm.store'
import {
  closeMeaningless,
  type Differing,
  findDiffering,
  findHeard,
  findSilent,
  findStocked,
  findUnsold,
  type Stocked,
} from './sweep.store'
import { recountUsual } from './usual.store'
import { isSilent, isSilentInSales } from './watch.rules'

export const jobs: Job[] = [
  { name: 'alarm.sweep', cron: '* * * * *', run: sweep },
  { name: 'alarm.sweepSales', cron: '*/10 * * * *', run: sweepSales },
  /** Ten past one in China: the day before is over in all its zones. */
  { name: 'alarm.recountUsual', cron: '10 17 * * *', run: recount },
]

/** What no message says: that none comes, that goods have run out, that a machine stands otherwise than planned. */
export async function sweep({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const silent = (await findSilent(db, now)).filter(({ lastSeenAt, limitMinutes }) =>
    isSilent(now.getTime() - lastSeenAt.getTime(), limitMinutes),
  )
  const heard = await findHeard(db, now)
  const stock = stockVerdicts(await findStocked(db), now)
  // Two sweeps back: one that came late has missed nothing.
  const differing = differVerdicts(await findDiffering(db, new Date(now.getTime() - 130_000)), now)
  await db.transaction().execute(async (tx) => {
    await closeMeaningless(tx, now)
    await raiseAlarms(tx, [
      // A silence begins with the last word, not with the minute in which it is noticed.
      ...silent.map(({ machineId, merchantId, lastSeenAt }) => raised(machineId, merchantId, 'offline', lastSeenAt)),
      ...stock.raised,
      ...differing.raised,
    ])
    await clearAlarms(tx, [
      ...heard.map(({ machineId }) => ({ machineId, cause: 'offline' as const, at: now })),
      ...stock.cleared,
      ...differing.cleared,
    ])
  })
}

type Verdicts = { raised: Raised[]; cleared: Cleared[] }

const raised = (
  machineId: number,
  merchantId: number,
  cause: Raised['cause'],
  at: Date,
  facts: Raised['facts'] = {},
): Raised => ({ machineId, merchantId, cause, at, facts })

function stockVerdicts(machines: readonly Stocked[], now: Date): Verdicts {
  const verdicts: Verdicts = { raised: [], cleared: [] }
  for (const { machineId, merchantId, empty, slots, ruleEmpty, ruleOf, isOpen, saidEmpty } of machines) {
    const isShort = isOutOfStock({ empty, slots }, { empty: ruleEmpty, ofSlots: ruleOf })
    if (!isShort && isOpen) verdicts.cleared.push({ machineId, cause: 'out_of_stock', at: now })
    if (isShort && saidEmpty !== empty) {
      verdicts.raised.push(raised(machineId, merchantId, 'out_of_stock', now, { empty, slots }))
    }
  }
  return verdicts
}

function differVerdicts(machines: readonly Differing[], now: Date): Verdicts {
  const verdicts: Verdicts = { raised: [], cleared: [] }
  const settle = (one: Differing, cause: 'price_differs' | 'planogram_differs', slots: number, slot: string | null) => {
    const isOpen = cause === 'price_differs' ? one.priceOpen : one.productOpen
    if (slots > 0 && !isOpen) {
      verdicts.raised.push(raised(one.machineId, one.merchantId, cause, now, { slots, slot: slot ?? '' }))
    }
    if (slots === 0 && isOpen) verdicts.cleared.push({ machineId: one.machineId, cause, at: now })
  }
  for (const one of machines) {
    settle(one, 'price_differs', one.prices, one.priceSlot)
    settle(one, 'planogram_differs', one.products, one.productSlot)
  }
  return verdicts
}

/** A sale ends it, on receipt (watch.signs.ts). */
export async function sweepSales({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const silent = (await findUnsold(db, now)).filter((machine) => isSilentInSales(machine, machine.fromHours))
  await db.transaction().execute((tx) =>
    raiseAlarms(
      tx,
      silent.map(({ machineId, merchantId, silentHours, expected, lastAt }) =>
        raised(machineId, merchantId, 'no_sales', lastAt ?? new Date(now.getTime() - 86_400_000), {
          hours: Math.floor(silentHours),
          usual: Math.round(expected),
        }),
      ),
    ),
  )
}

async function recount({ db, clock }: Services): Promise<void> {
  const { day } = businessTime(clock.now(), PLATFORM_TIME_ZONE)
  await db.transaction().execute((tx) => recountUsual(tx, day))
}
