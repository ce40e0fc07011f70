import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

export const guessRefusals = defineRefusals('fleet', { 'machine.notBlocked': 409 })

export const allowCodes = endpoint({
  name: 'fleet.allowCodes',
  method: 'POST',
  path: '/api/machines/{id}/allow-codes',
  access: 'machine.operate',
  writes: true,
  input: z.strictObject({ id: zId, reason: z.string().trim().min(2).max(200) }),
  output: z.object({ id: z.int() }),
  refusals: ['request.notFound', 'machine.notBlocked'],
  summary:
    'Let a machine take codes, cards and prescriptions again before its time, after too many that nobody gave out',
})
