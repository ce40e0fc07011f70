import type { Text } from '../../ui/text'

/** The facts of an event in one line: what, where, how it was paid, what motor and sensor saw, who did it and why. */
export function eventDetail(detail: Record<string, string>, t: Text<'trade'>): string {
  const { method, number, transfer, product, slot, motor, sensor, refund, who, reason } = detail
  const parts = [
    method && t.any(`method.${method}`),
    number,
    transfer && t('ledger.transfer', { id: transfer }),
    product,
    slot && t('item.slot', { slot }),
    motor && worded(t, `motor.${motor}`, motor),
    sensor && worded(t, `sensor.${sensor}`, sensor),
    refund,
    who,
    reason,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** A code that no catalog words is shown as the machine said it. */
const worded = (t: Text<'trade'>, key: string, code: string): string => (t.has(key) ? t.any(key) : code)
