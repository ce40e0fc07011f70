import { z } from 'zod'
import { shownOperations } from '../fleet/states'
import { endpoint, zId } from '../kernel/endpoint'

const refusals = ['request.notFound', 'command.already', 'command.retired', 'command.unlawful'] as const

const reasoned = z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) })
const operation = z.object({ id: z.int(), operation: z.enum(shownOperations) })

export const stopSale = endpoint({
  name: 'device.stopSale',
  method: 'POST',
  path: '/api/machines/{id}/stop-sale',
  access: 'machine.operate',
  writes: true,
  input: reasoned,
  output: operation,
  refusals,
  summary: 'Take a machine out of sale: orders are refused at once, and it is told; stopped once it said so',
})

export const resumeSale = endpoint({
  name: 'device.resumeSale',
  method: 'POST',
  path: '/api/machines/{id}/resume-sale',
  access: 'machine.operate',
  writes: true,
  input: reasoned,
  output: operation,
  refusals,
  summary: 'Put a stopped machine back into sale',
})
