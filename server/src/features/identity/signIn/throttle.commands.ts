import type { CallContext, Tx } from '../../../kernel/context'
import { type Attempt, SYSTEM_KEY } from './attempt.rules'
import { afterFailure, type Counter, type CounterKind, mustType, SPRAYED_ACCOUNTS } from './throttle.rules'
import * as throttleStore from './throttle.store'

/** Whether the next code must be read off a picture, as the counters stand. */
export async function mustTypeNow(ctx: CallContext, attempt: Attempt): Promise<boolean> {
  const { own, addressKey, subnetKey, subnet, deviceId } = attempt
  const counters = await throttleStore.read(ctx.db, [own.key, addressKey, subnetKey, SYSTEM_KEY])
  const sprayedAccounts = await throttleStore.countSprayed(ctx.db, subnet, ctx.now(), SPRAYED_ACCOUNTS)
  const seen = {
    account: own.kind === 'account' ? counters.get(own.key) : undefined,
    device: own.kind === 'device' ? counters.get(own.key) : undefined,
    address: counters.get(addressKey),
    subnet: counters.get(subnetKey),
    system: counters.get(SYSTEM_KEY),
    sprayedAccounts,
    isTrustedDevice: deviceId !== null,
  }
  return mustType(seen, ctx.now())
}

/** @param own the attempt's own counter, already locked; null where only the place it came from is to blame */
export async function recordFailure(tx: Tx, attempt: Attempt, own: Counter | null, now: Date): Promise<void> {
  const { addressKey, subnetKey, subnet, accountHash } = attempt
  const places = await throttleStore.lock(tx, [addressKey, subnetKey], now)
  const failed = (counter: Counter | undefined | null, kind: CounterKind) =>
    counter ? [afterFailure(counter, now, kind)] : []
  const address = failed(places.get(addressKey), 'address')
  await throttleStore.save(tx, [
    ...failed(own, attempt.own.kind),
    ...address,
    ...failed(places.get(subnetKey), 'subnet'),
  ])
  const [{ windowEndsAt } = { windowEndsAt: now }] = address
  await throttleStore.noteSprayed(tx, subnet, accountHash, windowEndsAt)
}
