import type { Tx } from '../../../kernel/context'
import { afterFailure, afterSuccess, isBlocked } from './throttle.rules'
import * as throttleStore from './throttle.store'

export type Try = 'right' | 'wrong' | 'slowDown'

/**
 * One try at a secret after the other, with the patience of an account: five free, then ever longer waits.
 * @param tx must commit whatever comes of it: a try that is rolled back was never counted
 * @param key of the counter, such as `factor|42`
 */
export async function countTry(tx: Tx, key: string, now: Date, isRight: () => Promise<boolean>): Promise<Try> {
  const counter = (await throttleStore.lock(tx, [key], now)).get(key)
  if (!counter) throw new Error('the locked counter is missing')
  if (isBlocked(counter, now)) return 'slowDown'
  const isGood = await isRight()
  await throttleStore.save(tx, [isGood ? afterSuccess(counter) : afterFailure(counter, now, 'account')])
  return isGood ? 'right' : 'wrong'
}
