import { z } from 'zod'
import { machineOperation } from '../fleet/states'
import { endpoint, zId } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

export const operateRefusals = defineRefusals('device', { 'machine.state': 409 })

const reasoned = z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) })
const operation = z.object({ id: z.int(), operation: z.enum(machineOperation.states) })

export const stopSale = endpoint({
  name: 'device.stopSale',
  method: 'POST',
  path: '/api/machines/{id}/stop-sale',
  access: 'machine.operate',
  writes: true,
  input: reasoned,
  output: operation,
  refusals: ['request.notFound', 'machine.state'],
  summary: 'Take a machine out of sale; it is told, and orders are refused at once',
})

export const resumeSale = endpoint({
  name: 'device.resumeSale',
  method: 'POST',
  path: '/api/machines/{id}/resume-sale',
  access: 'machine.operate',
  writes: true,
  input: reasoned,
  output: operation,
  refusals: ['request.notFound', 'machine.state'],
  summary: 'Put a stopped machine back into sale',
})
