import type { Services } from '../../../kernel/context'
import { announce } from '../../../kernel/announce'
import type { Job } from '../../../kernel/jobs'
import { unseal } from '../../../kernel/seal'
import { type Tell, tellPlatform } from './traceUpload.channel'
import { nextTryAt } from './traceUpload.rules'
import { accountsOn, type AccountRow, keepAnswers, takeDue, findReports } from './traceUpload.store'

/** Running twice is harmless: what one run has taken the other does not see, and the platform knows items by id. */
export const jobs: Job[] = [
  { name: 'medicine.uploadTraces', cron: '* * * * *', run: (services) => uploadTraces(services) },
]

const TAKEN_FOR_MS = 60_000
const AT_ONCE = 100
/** A minute's worth; what is left is due again with the next run. */
const MOST_ROUNDS = 200

export const accountSecret = (merchantId: number): string => `traceAccount:${merchantId}`

export async function uploadTraces(services: Services, tell: Tell = tellPlatform): Promise<void> {
  for (const account of await accountsOn(services.db)) {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (!(await tellSome(services, account, tell))) break
    }
  }
}

/** The call itself stands in no transaction. @returns whether there is perhaps more that the platform takes now */
async function tellSome({ db, clock, keys }: Services, account: AccountRow, tell: Tell): Promise<boolean> {
  const due = await takeDue(db, account.id, clock.now(), TAKEN_FOR_MS, AT_ONCE)
  if (due.length === 0) return false
  const told = await findReports(
    db,
    due.map(({ id }) => id),
  )
  const secret = unseal(keys, accountSecret(account.merchantId), account.secret)
  const { outcomes, problem } = await tell({ ...account, secret }, told, clock.now())
  const ended = new Set(outcomes.flatMap(({ id, outcome }) => (outcome === 'pending' ? [] : [id])))
  const at = clock.now()
  const later = due.filter(({ id }) => !ended.has(id))
  await db.transaction().execute(async (tx) => {
    await keepAnswers(
      tx,
      outcomes,
      later.map(({ id, tries }) => ({ id, nextTryAt: nextTryAt(tries, at), problem })),
      at,
    )
    await announce(tx, { topic: 'changes', kinds: ['traceUpload'], merchantIds: [account.merchantId], above: [] })
  })
  return problem === ''
}
