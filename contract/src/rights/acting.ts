import { z } from 'zod'
import { endpoint, zId } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'

/** What a session's own choice of role may answer, and what every call may while a role is only looked at. */
export const actingRefusals = defineRefusals('rights', {
  /** The role was taken from the person meanwhile. */
  'acting.notHeld': 409,
  /** Any call that writes, while the application is seen as a role. */
  'viewing.readOnly': 403,
  /** Any call whose permission is switched off for everybody. */
  'resource.off': 403,
})

export const switchRole = endpoint({
  name: 'rights.switchRole',
  method: 'POST',
  path: '/api/acting/role',
  access: 'session',
  writes: true,
  input: z.strictObject({ roleId: zId.nullable() }),
  output: z.object({}),
  refusals: ['acting.notHeld'],
  summary: 'Act with one of the own roles in this session; null acts with all of them',
})

export const viewAs = endpoint({
  name: 'rights.viewAs',
  method: 'POST',
  path: '/api/roles/{id}/view-as',
  access: 'role.viewAs',
  writes: true,
  input: z.strictObject({ id: zId }),
  output: z.object({}),
  refusals: ['request.notFound'],
  summary: 'See the application as a role would, within the own rights; nothing can be written until it is stopped',
})

/** Not a write to the caller's eyes: it must work while nothing may be written. */
export const stopViewing = endpoint({
  name: 'rights.stopViewing',
  method: 'POST',
  path: '/api/acting/stop-viewing',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({}),
  summary: 'See the application as oneself again',
})
