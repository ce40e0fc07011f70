import { z } from 'zod'
import { endpoint } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { languages } from '../kernel/text'

/** The address printed on the first start is single-use, lives an hour, and means nothing once there is a user. */
export const firstAdminRefusals = defineRefusals('identity', { 'firstAdmin.linkInvalid': 403 })

const token = z.string().min(1).max(64)
const account = z.string().trim().min(1).max(64)

export const getFirstAdminParam = endpoint({
  name: 'identity.getFirstAdminParam',
  method: 'POST',
  path: '/api/first-admin/param',
  access: 'public',
  input: z.strictObject({ token, account }),
  output: z.object({
    salt: z.string(),
    kdf: z.object({ a: z.literal('argon2id'), m: z.int(), t: z.int(), p: z.int() }),
    v: z.literal(1),
  }),
  refusals: ['firstAdmin.linkInvalid'],
  summary: 'What the client needs to make the first administrator’s verifier',
})

/** `verifier` is `verifierText` of the salt and kdf just asked for; the password itself is never sent. */
export const createFirstAdmin = endpoint({
  name: 'identity.createFirstAdmin',
  method: 'POST',
  path: '/api/first-admin',
  access: 'public',
  input: z.strictObject({
    token,
    account,
    displayName: z.string().trim().min(1).max(80),
    platformName: z.string().trim().min(1).max(80),
    verifier: z.string().max(256),
    language: z.enum(languages).default('zh'),
  }),
  output: z.object({ account: z.string() }),
  refusals: ['firstAdmin.linkInvalid', 'password.shipped', 'request.invalid'],
  summary: 'Make the platform and its first administrator, once',
})
