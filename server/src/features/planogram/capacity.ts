import { overCapacity } from '@aisle/contract/planogram/slot'
import type { CommandContext } from '../../kernel/context'
import { refuse } from '../../kernel/refuse'
import { word } from '../../kernel/words'

export type Filled = { code: string; stock: number; capacity: number }

/** More than fits in is asked about before it is taken: somebody may have typed 100 for 10. */
export function askOverCapacity(ctx: CommandContext, slots: readonly Filled[], isSure: boolean): void {
  const over = slots.filter(overCapacity)
  if (isSure || over.length === 0) return
  const fields = over.map(({ code, stock: count, capacity }) => ({
    path: `slots.${code}`,
    reason: 'overCapacity',
    msg: word(ctx.language, 'planogram', 'slot.over', { code, count, capacity }),
  }))
  refuse('slot.overCapacity', { slots: over.map(({ code }) => code).join(' ') }, fields)
}
