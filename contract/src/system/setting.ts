import { z } from 'zod'
import { endpoint, zId, zInstant } from '../kernel/endpoint'
import { defineRefusals } from '../kernel/refusal'
import { brandColour, entranceBrands, settings } from './settings'

export const settingRefusals = defineRefusals('system', {
  'setting.platformOnly': 403,
  /** Of a limit that holds the caller. */
  'setting.raisedByPlatform': 403,
})

const keys = settings.map(({ key }) => key) as [string, ...string[]]
const byKey = new Map(settings.map((each) => [each.key, each]))

/** @throws RangeError for a key that nobody declares */
export function settingNamed(key: string) {
  const found = byKey.get(key)
  if (!found) throw new RangeError(`no setting ${key}`)
  return found
}

/** Where a value comes from: chosen for this merchant, for one above it, or as the product is shipped. */
export const settingSources = ['own', 'above', 'shipped'] as const

const settingValue = z.object({
  key: z.string(),
  value: z.unknown(),
  source: z.enum(settingSources),
  /** The merchant that the value comes from, where it is not the one asked for. */
  sourceName: z.string().nullable(),
  /** What would hold without a value of one's own. */
  inherited: z.unknown(),
  /** Of the own value; 0 without one. */
  version: z.int(),
  changedAt: zInstant.nullable(),
  changedBy: z.string().nullable(),
  mayWrite: z.boolean(),
})

export const listSettings = endpoint({
  name: 'system.listSettings',
  method: 'GET',
  path: '/api/settings',
  access: 'setting.write',
  input: z.strictObject({ merchantId: zId.optional() }),
  output: z.object({ merchantId: z.int(), merchantName: z.string(), items: z.array(settingValue) }),
  refusals: ['request.notFound'],
  summary: 'Every setting as it holds for a merchant, with where it comes from and who changed it last',
})

/** `version` is that of the value that was read, 0 where there was none. */
const chosen = { key: z.enum(keys), merchantId: zId.optional(), version: z.coerce.number().int().min(0) }

export const saveSetting = endpoint({
  name: 'system.saveSetting',
  method: 'POST',
  path: '/api/settings/save',
  access: 'setting.write',
  writes: true,
  input: z.strictObject({ ...chosen, value: z.unknown() }).check(({ value: { key, value }, issues }) => {
    const judged = byKey.get(key)?.schema.safeParse(value)
    if (judged?.success !== false) return
    for (const issue of judged.error.issues) {
      issues.push({ ...issue, input: value, path: ['value', ...issue.path] } as (typeof issues)[number])
    }
  }),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', ...settingRefusals],
  summary: 'Choose a value for a merchant and all below it, or for the platform',
})

export const resetSetting = endpoint({
  name: 'system.resetSetting',
  method: 'POST',
  path: '/api/settings/reset',
  access: 'setting.write',
  writes: true,
  input: z.strictObject(chosen),
  output: z.object({ version: z.int() }),
  refusals: ['request.notFound', 'edit.stale', ...settingRefusals],
  summary: 'Give up the own value: what is inherited holds again',
})

const brand = z.object({
  /** The address of a picture. */
  logo: z.string().nullable(),
  name: z.string().nullable(),
  colour: z.string().nullable(),
})
const rules = { phoneRule: z.enum(['wide', 'narrow']), passwordMin: z.int(), passwordMax: z.int() }
/** What a form's fields and the frame around every page obey. */
const shared = { brand, ...rules, manualLink: z.string().nullable() }

export const getClientSettings = endpoint({
  name: 'system.getClientSettings',
  method: 'GET',
  path: '/api/settings/client',
  access: 'session',
  input: z.strictObject({}),
  output: z.object({ ...shared, dataBegins: z.string() }),
  summary: 'What the pages of a signed-in person obey: brand, rules for forms, the day the data begins',
})

/** Sign-in pages that may carry a brand of their own. */
const entrances = Object.keys(entranceBrands) as (keyof typeof entranceBrands)[]

export const getEntranceSettings = endpoint({
  name: 'system.getEntranceSettings',
  method: 'GET',
  path: '/api/settings/entrance',
  access: 'public',
  input: z.strictObject({ entrance: z.enum(entrances).optional() }),
  output: z.object({ ...shared, mobileAppLink: z.string().nullable(), helperLink: z.string().nullable() }),
  summary: 'What a sign-in page obeys: the brand of the platform or of whom the page is for, links, rules for forms',
})

/** Suggested theme colours; any other can be typed. */
export const brandColours = ['#1557d6', '#0f7a43', '#7a3fd1', '#b3261e', '#0b7285', '#96570a'] as const
export const zBrandColour = brandColour.schema
