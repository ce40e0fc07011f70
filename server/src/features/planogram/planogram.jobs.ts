import type { Services } from '../../kernel/context'
import type { Job } from '../../kernel/jobs'
import { PUSH_LISTING } from '../catalog/public'
import { PUSH_COUNTS } from '../counting/public'
import { PUSH_SETS } from '../medicine/public'
import { PUSH_PRICES } from '../promotion/public'
import { PUSH_AFTER_SERVICE } from '../stock/public'
import { jobs as priceChangeJobs } from './priceChange/change.jobs'
import { machinesHolding } from './machine.store'
import { pushAfterService, pushCounted, pushShownPrices } from './push.commands'

export const jobs: readonly Job[] = [
  ...priceChangeJobs,
  {
    name: PUSH_AFTER_SERVICE,
    run: ({ db, clock }, { machineId }) =>
      db.transaction().execute((tx) => pushAfterService(tx, Number(machineId), clock.now())),
  },
  {
    name: PUSH_COUNTS,
    run: ({ db, clock }, { countId }) =>
      db.transaction().execute((tx) => pushCounted(tx, Number(countId), clock.now())),
  },
  {
    name: PUSH_LISTING,
    run: (services, { productId }) => eachHolding(services, { productIds: [Number(productId)] }, pushAfterService),
  },
  {
    name: PUSH_SETS,
    run: (services, { merchantId, productIds }) => {
      const holding = { merchantId: Number(merchantId), productIds: String(productIds).split(',').map(Number) }
      return eachHolding(services, holding, pushShownPrices)
    },
  },
  {
    name: PUSH_PRICES,
    run: ({ db, clock }, { machineId }) =>
      db.transaction().execute((tx) => pushShownPrices(tx, Number(machineId), clock.now())),
  },
]

type Holding = Parameters<typeof machinesHolding>[1]

async function eachHolding({ db, clock }: Services, holding: Holding, push: typeof pushShownPrices): Promise<void> {
  for (let last = 0; ; ) {
    const machineIds = await machinesHolding(db, holding, last)
    for (const machineId of machineIds) {
      await db.transaction().execute((tx) => push(tx, machineId, clock.now()))
    }
    const next = machineIds.at(-1)
    if (next === undefined) return
    last = next
  }
}
