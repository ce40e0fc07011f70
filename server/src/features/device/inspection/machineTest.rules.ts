import type { TestSlotState, TestState } from '@aisle/contract/device/machineTest'
import type { Ended } from '../command/command.store'

type Turned = { ok: boolean; motorCode: string | null; sensorCode: string | null; durationMs: number | null }

/** What a machine says of a motor that it turned for a test; null where it turned none. */
export function turnedIn(result: Record<string, unknown> | null): Turned | null {
  if (typeof result?.ok !== 'boolean') return null
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 8) : null)
  const { ok, motorCode, sensorCode, durationMs } = result
  const isMs = typeof durationMs === 'number' && Number.isSafeInteger(durationMs) && durationMs >= 0
  return {
    ok,
    motorCode: text(motorCode),
    sensorCode: text(sensorCode),
    durationMs: isMs ? Math.min(durationMs, 3_600_000) : null,
  }
}

/**
 * How a slot stands after its command ended. Only a motor that turned has passed or failed; one that the machine would
 * not turn (a customer came, the link was away) is no proof against the motor.
 */
export function slotStateOf(ended: Pick<Ended, 'state' | 'result'>): Exclude<TestSlotState, 'waiting' | 'running'> {
  const turned = turnedIn(ended.result)
  if (turned) return turned.ok ? 'passed' : 'failed'
  return ended.state === 'failed' ? 'failed' : 'skipped'
}

/** After a slot: go on with the next, or the end of the test. A machine that won't go on is not asked further. */
export function testAfter(slots: readonly TestSlotState[]): TestState {
  if (slots.includes('skipped')) return 'stopped'
  if (slots.includes('waiting') || slots.includes('running')) return 'running'
  return slots.includes('failed') ? 'failed' : 'passed'
}
