import type { Connection, MachineOperation } from '../fleet/states'
import type { MachineBlock } from './batch'
import { type CommandType, needsMachineNow } from './commands'

/** A machine as a command looks at it. */
export type Target = {
  isRetired: boolean
  connection: Connection
  operation: MachineOperation
  /** It does not go by its operation, and nothing that says so is on its way: it may be asked once more. */
  owesOperation: boolean
  /** It sells medicine, and every licence that its merchant holds for it has ended. */
  isUnlicensed: boolean
}

/**
 * Why a machine can't be asked this; null when it can. What only has to wait for a machine that is away may wait. The
 * server asks before it sends, the web to grey what can't be sent.
 */
export function blockOf(type: CommandType, target: Target): MachineBlock | null {
  if (target.isRetired) return 'retired'
  const { operation, owesOperation } = target
  if (type === 'stop_sale' && operation === 'stopped' && !owesOperation) return 'already'
  if (type === 'resume_sale' && operation === 'in_operation' && !owesOperation) return 'already'
  if (type === 'resume_sale' && target.isUnlicensed) return 'unlawful'
  if (needsMachineNow(type) && target.connection !== 'online') return 'offline'
  return null
}
